// The arrows between packages and between layers (ARCHITECTURE.md). Run after the build: sibling
// imports resolve to dist.
const allowed = {
  contracts: [],
  sql: [],
  jobs: ['contracts'],
  outbound: ['contracts'],
  accounts: ['contracts', 'sql'],
  people: ['contracts', 'sql'],
  banks: ['contracts', 'accounts', 'jobs', 'outbound', 'gateway'],
  acquirers: ['contracts', 'accounts', 'outbound', 'vault'],
  pages: [],
  simulators: ['contracts', 'pages'],
  client: ['contracts'],
  vault: ['contracts', 'accounts', 'jobs', 'sql'],
  gateway: ['contracts', 'accounts', 'jobs', 'people', 'sql'],
  sandbox: ['contracts', 'jobs', 'people', 'sql', 'pages', 'vault', 'gateway'],
  checkout: ['contracts', 'pages', 'gateway'],
  merchant: ['contracts'],
  panel: ['contracts', 'people', 'pages', 'gateway', 'sandbox'],
  server: [
    'contracts',
    'accounts',
    'jobs',
    'people',
    'pages',
    'client',
    'sql',
    'vault',
    'gateway',
    'banks',
    'acquirers',
    'sandbox',
    'checkout',
    'merchant',
    'panel',
    'simulators',
  ],
}
/**
 * Which folder of a package may import which others. A package's root files put its folders
 * together: they import all, and no folder imports them. Packages that are not here wait for their
 * storeys.
 */
const folders = {
  contracts: {
    runtime: [],
    value: [],
    errors: [],
    card: ['value'],
    validation: ['errors'],
    settlement: [],
    transaction: ['card', 'errors', 'validation', 'value'],
    wire: ['card', 'transaction', 'validation', 'value'],
    explanation: ['card', 'errors', 'transaction', 'value', 'wire'],
  },
  // These have no folders.
  client: {},
  jobs: {},
  outbound: {},
  accounts: {},
  people: {},
  banks: { model: [], cnab: ['model'], 'pix-api': ['model'], inter: ['model', 'pix-api'] },
  acquirers: { model: [], adyen: ['model'], cielo: ['model'], settlement: [] },
  merchant: {},
  sql: {
    errors: [],
    database: [],
    files: ['errors'],
    sqlite: ['database', 'errors', 'files'],
    postgres: ['database', 'errors'],
  },
  demo: {
    model: [],
    texts: ['model'],
    payment: ['model', 'texts'],
    page: ['model', 'texts', 'payment'],
    shopping: ['model', 'page', 'payment'],
    checkout: ['model', 'texts', 'page', 'payment'],
    order: ['model', 'texts', 'page', 'payment'],
    'back-office': ['model', 'page', 'payment', 'order'],
  },
  gateway: {
    model: [],
    ledger: ['model'],
    delivery: ['model'],
    payment: ['ledger', 'model'],
    worker: ['payment', 'model'],
    'back-office': ['payment', 'model'],
    api: ['payment', 'model'],
    http: ['api'],
  },
  sandbox: {
    database: [],
    'test-data': [],
    'played-page': [],
    wallet: ['played-page'],
    reference: [],
    inbox: ['database'],
    'request-log': ['database'],
    'test-clock': ['database'],
    settlement: ['database', 'test-data'],
    card: ['played-page', 'settlement', 'test-data'],
    rail: ['settlement', 'wallet'],
    control: ['test-clock'],
    stream: ['request-log'],
    example: ['rail', 'test-data'],
  },
  simulators: {
    authority: [],
    books: [],
    page: [],
    'pix-bank': ['authority', 'books', 'page'],
    inter: ['authority', 'books', 'page', 'pix-bank'],
    'card-acquirer': ['authority', 'page', 'pix-bank'],
    adyen: ['authority', 'books', 'card-acquirer', 'page', 'pix-bank'],
    cielo: ['authority', 'books', 'card-acquirer', 'page', 'pix-bank'],
  },
  checkout: {
    model: [],
    text: [],
    page: ['text'],
    order: ['page', 'text'],
    try: ['page', 'text'],
  },
  panel: {
    model: [],
    text: [],
    session: [],
    frame: ['model', 'session', 'text'],
    door: ['frame', 'model', 'text'],
    'sandbox-sign-in': ['door', 'frame', 'session', 'text'],
    figures: ['frame', 'export', 'text'],
    export: ['frame', 'session', 'text'],
    notification: ['export', 'frame', 'text'],
    payment: ['export', 'frame', 'notification', 'text'],
    'payment-link': ['export', 'frame', 'text'],
    me: ['door', 'frame', 'text'],
    staff: ['export', 'frame', 'text'],
    settlement: ['export', 'frame', 'text'],
    store: ['frame', 'model', 'sandbox-sign-in', 'session', 'text'],
    sandbox: ['frame', 'payment', 'session', 'text'],
  },
  server: {
    config: [],
    installation: ['config'],
    observability: ['config', 'installation'],
    http: ['config', 'observability'],
    process: ['config', 'installation', 'observability', 'http'],
    doctor: ['config', 'installation'],
    commands: ['config', 'installation', 'observability', 'doctor', 'process'],
  },
  vault: {
    acquirer: [],
    model: [],
    keys: [],
    database: ['acquirer', 'keys'],
    'data-key': ['database', 'keys'],
    audit: ['data-key', 'database', 'keys'],
    account: ['audit', 'data-key', 'database', 'keys'],
    session: ['data-key', 'database', 'keys', 'model'],
    'direct-token': ['session', 'audit', 'data-key', 'database', 'keys', 'model'],
    'card-testing': ['data-key', 'database', 'keys'],
    'field-settings': ['audit', 'database', 'model'],
    'saved-card': ['acquirer', 'audit', 'data-key', 'database', 'keys'],
    authorization: [
      'saved-card',
      'card-testing',
      'direct-token',
      'outbox',
      'acquirer',
      'audit',
      'data-key',
      'database',
      'keys',
      'model',
    ],
    outbox: ['database', 'model'],
    refund: ['outbox', 'authorization', 'acquirer', 'database', 'model'],
    notice: [
      'refund',
      'outbox',
      'saved-card',
      'authorization',
      'acquirer',
      'audit',
      'data-key',
      'database',
      'model',
    ],
    'later-reading': ['notice', 'authorization', 'acquirer', 'database', 'model'],
    'link-fill': ['later-reading', 'notice', 'authorization', 'saved-card', 'data-key', 'database'],
    client: [],
    http: ['client', 'model'],
  },
}
const arrows = Object.entries(folders).flatMap(([owner, rows]) => {
  const root = owner === 'demo' ? 'demo' : `packages/${owner}`
  return Object.entries(rows).map(([name, targets]) => ({ owner, root, name, targets }))
})
const error = (name, from, to) => ({ name, severity: 'error', from, to })
const frameworks = 'node_modules/(hono|kysely|pg)/'
const outer = '-(service|deps|store|store-sql|store-memory|routes)[.]ts$'
const tests = '[.](test|conformance|fixture)[.]tsx?$'

export default {
  forbidden: [
    error('no-circular', {}, { circular: true }),
    error(
      'domain-is-pure',
      {
        path: '^packages/(vault|gateway)/src/[^/]+/',
        pathNot: [outer, tests, '/src/(http|api|ledger|database)/', '-sql[.]ts$'],
      },
      { path: [outer, frameworks] },
    ),
    error(
      'services-know-ports-only',
      { path: '-service[.]ts$' },
      { path: ['-(store-sql|store-memory|routes)[.]ts$', frameworks] },
    ),
    error(
      'use-cases-get-the-ledger-as-ports',
      { path: '^packages/gateway/src/payment/', pathNot: ['/gateway-deps[.]ts$', tests] },
      { path: '^packages/gateway/src/ledger/' },
    ),
    error(
      'routes-call-services-only',
      { path: '-routes[.]ts$' },
      { path: '-store(-sql|-memory)?[.]ts$' },
    ),
    error(
      'console-pages-know-no-sql',
      { path: '^packages/panel/', pathNot: tests },
      { path: ['-sql[.]', frameworks], pathNot: 'node_modules/hono/' },
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
      // A program of the stories: it starts roles in a way that the command does not.
      { pathNot: '^packages/server/|^e2e/roles-with-acquirers[.]mjs$' },
      { path: '^packages/server/' },
    ),
    ...arrows.map(({ owner, root, name, targets }) =>
      error(
        `${owner}-${name}-imports`,
        { path: `^${root}/src/${name}/`, pathNot: tests },
        {
          path: `^${root}/src/`,
          pathNot: `^${root}/src/(${[name, ...targets].join('|')})/`,
        },
      ),
    ),
    ...Object.entries(folders).map(([owner, rows]) =>
      error(
        `${owner}-folders-have-rows`,
        {
          path: `^packages/${owner}/src/[^/]+/`,
          pathNot: [tests, ...Object.keys(rows).map((name) => `^packages/${owner}/src/${name}/`)],
        },
        { path: '.' },
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
