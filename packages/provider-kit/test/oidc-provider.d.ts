declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** As far as the tests use it. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
