declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** Only the parts that tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
