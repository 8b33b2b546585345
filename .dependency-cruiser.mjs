// The arrows between packages and between layers (ARCHITECTURE.md). Run after the build: sibling imports resolve to dist.
const allowed = {
  contracts: [],
  sql: [],
  jobs: ['contracts'],
  pages: [],
  client: ['contracts'],
  vault: ['contracts', 'jobs', 'sql'],
  gateway: ['contracts', 'jobs', 'sql'],
  sandbox: ['contracts', 'jobs', 'sql', 'vault', 'gateway'],
  merchant: ['contracts'],
  panel: ['contracts', 'pages', 'gateway', 'sandbox'],
  server: [
    'contracts',
    'jobs',
    'client',
    'sql',
    'vault',
    'gateway',
    'sandbox',
    'merchant',
    'panel',
  ],
}
/**
 * Which folder of a package may import which others. A package's root files put its folders together: they import all, and no folder
 * imports them. Packages that are not here wait for their storeys.
 */
const folders = {
  gateway: {
    model: [],
    ledger: ['model'],
    delivery: ['model'],
    payment: ['model'],
    worker: ['payment', 'delivery', 'model'],
    'back-office': ['payment', 'model'],
    api: ['payment', 'model'],
    http: ['api'],
  },
  sandbox: {
    database: [],
    'test-data': [],
    wallet: [],
    inbox: ['database'],
    'request-log': ['database'],
    'test-clock': ['database'],
    settlement: ['database', 'test-data'],
    card: ['settlement', 'test-data'],
    rail: ['settlement', 'wallet'],
    control: [],
  },
  panel: {
    text: [],
    session: [],
    frame: ['session', 'text'],
    pages: ['frame', 'session', 'text'],
  },
}
const arrows = Object.entries(folders).flatMap(([owner, rows]) =>
  Object.entries(rows).map(([name, targets]) => ({ owner, name, targets })),
)
const error = (name, from, to) => ({ name, severity: 'error', from, to })
const frameworks = 'node_modules/(hono|kysely|pg)/'
const outer = '-(service|store|store-sql|store-memory|routes)[.]ts$'
const tests = '[.](test|conformance|fixture)[.]tsx?$'

export default {
  forbidden: [
    error('no-circular', {}, { circular: true }),
    error(
      'domain-is-pure',
      {
        path: '^packages/(vault|gateway)/src/[^/]+/',
        pathNot: [outer, tests, '/src/(http|api|ledger)/', '-sql[.]ts$'],
      },
      { path: [outer, frameworks] },
    ),
    error(
      'services-know-ports-only',
      { path: '-service[.]ts$' },
      { path: ['-(store-sql|store-memory|routes)[.]ts$', frameworks] },
    ),
    error(
      'routes-call-services-only',
      { path: '-routes[.]ts$' },
      { path: '-store(-sql|-memory)?[.]ts$' },
    ),
    error(
      'vault-client-knows-no-vault',
      { path: '^packages/vault/src/client/', pathNot: tests },
      {
        path: ['^packages/', frameworks],
        pathNot: '^packages/(contracts|jobs)/|^packages/vault/src/client/',
      },
    ),
    error(
      'demo-is-a-merchant',
      { path: '^demo/' },
      { path: '^packages/', pathNot: '^packages/(merchant|pages)/' },
    ),
    error(
      'nobody-imports-the-server',
      { pathNot: '^packages/server/' },
      { path: '^packages/server/' },
    ),
    ...arrows.map(({ owner, name, targets }) =>
      error(
        `${owner}-${name}-imports`,
        { path: `^packages/${owner}/src/${name}/`, pathNot: tests },
        {
          path: `^packages/${owner}/src/`,
          pathNot: `^packages/${owner}/src/(${[name, ...targets].join('|')})/`,
        },
      ),
    ),
    ...Object.entries(allowed).map(([name, targets]) =>
      error(
        `${name}-imports`,
        { path: `^packages/${name}/`, pathNot: tests },
        { path: '^packages/', pathNot: `^packages/(${[name, ...targets].join('|')})/` },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '/dist/.*[.]map$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
    },
  },
}
