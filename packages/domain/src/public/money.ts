// `@auction/domain/money`: exact amounts, and the currencies of ISO 4217.

export { NonNegativeDecimal, toPositiveDecimal } from '../values/amount.ts'
export { toCurrency } from '../values/currency.ts'
export {
  type AmountMinor,
  type Currency,
  type Decimal,
  exactMinor,
  isSameCurrency,
  toAmountMinor,
  toDecimal,
  toMinor,
} from '../values/money.ts'
