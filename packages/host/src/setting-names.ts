/** The names by which an application offers the options of this package. Log messages contain them. */
export type SettingNames = {
  readonly keySetUrl: string
  readonly redisUrl: string
  readonly trustedProxies: string
  readonly maxConnections: string
  readonly maxConnectionsPerAddress: string
  readonly maxRequestsAtOnce: string
}
