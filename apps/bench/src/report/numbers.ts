const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A number for people: three significant digits, or all that stand before the point. */
export const number = (value: number): string => (Math.abs(value) >= 100 ? whole : short).format(value)
