const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** The seconds of a time such as `90s`, `15m`, `2h` or `1d`; undefined for any other text. */
export const secondsOf = (text: string): number | undefined =>
  /^[1-9]\d{0,6}[smhd]$/.test(text) ? Number.parseInt(text, 10) * (secondsIn[text.slice(-1)] ?? 0) : undefined
