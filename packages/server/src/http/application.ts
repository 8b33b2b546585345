/** An HTTP application that knows its routes, as Hono's do. */
export interface Application {
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>
  readonly router: {
    match(
      method: string,
      path: string,
    ): readonly [
      readonly (readonly [readonly [unknown, { readonly path: string }], ...unknown[]])[],
      ...unknown[],
    ]
  }
  readonly getPath: (request: Request) => string
}

const UNMATCHED = 'unmatched'

/** The pattern of the route that answers a request, like `/transactions/:code`: of a small, closed set, unlike its path. */
export function routePattern({ router, getPath }: Application, request: Request): string {
  // As Hono does.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [handlers] = router.match(method, getPath(request))
  const patterns = handlers.map(([[, { path }]]) => path)
  return patterns.findLast((path) => !path.includes('*')) ?? UNMATCHED
}
