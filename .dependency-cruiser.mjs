// The arrows between packages and between layers (ARCHITECTURE.md). Run after the build: sibling
// imports resolve to dist.
import { readdirSync } from 'node:fs'

/** A folder each: none imports another but Inter, which extends the API Pix. */
const PROVIDERS = readdirSync('packages/providers').filter((name) => name !== 'index')
const ofProviders = (row) => Object.fromEntries(PROVIDERS.map((name) => [`providers/${name}`, row]))
const allowed = {
  contracts: [],
  sql: [],
  work: ['contracts', 'sql'],
  'provider-kit': ['contracts', 'work', 'sql', 'pages'],
  people: ['contracts', 'sql'],
  ...ofProviders(['contracts', 'provider-kit']),
  'providers/pix-api': ['contracts', 'provider-kit', 'pages'],
  'providers/inter': ['contracts', 'provider-kit', 'pages', 'providers/pix-api'],
  'providers/cnab': ['contracts', 'provider-kit', 'work'],
  'providers/index': ['contracts', 'provider-kit', ...PROVIDERS.map((name) => `providers/${name}`)],
  pages: [],
  client: ['contracts'],
  vault: ['contracts', 'provider-kit', 'work', 'sql'],
  gateway: ['contracts', 'provider-kit', 'work', 'people', 'sql'],
  banks: ['contracts', 'provider-kit', 'work', 'sql', 'gateway'],
  operator: ['contracts', 'sql', 'gateway', 'pages', 'panel'],
  'saved-cards': ['contracts', 'gateway'],
  events: ['contracts', 'work', 'sql', 'pages', 'gateway', 'panel'],
  settlements: ['contracts', 'provider-kit', 'work', 'sql', 'gateway', 'banks', 'pages', 'panel'],
  'boleto-files': ['contracts', 'provider-kit', 'work', 'sql', 'gateway', 'banks'],
  search: ['contracts', 'provider-kit', 'work', 'sql', 'gateway', 'pages', 'panel'],
  links: ['contracts', 'provider-kit', 'work', 'sql', 'pages', 'gateway', 'panel'],
  notifications: ['contracts', 'work', 'sql', 'pages', 'gateway', 'panel'],
  sandbox: ['contracts', 'provider-kit', 'work', 'people', 'sql', 'pages', 'vault', 'gateway'],
  merchant: ['contracts'],
  panel: ['contracts', 'work', 'people', 'pages', 'gateway', 'sandbox'],
  server: [
    'contracts',
    'provider-kit',
    'work',
    'people',
    'pages',
    'client',
    'sql',
    'vault',
    'gateway',
    'banks',
    'providers/index',
    'operator',
    'saved-cards',
    'events',
    'settlements',
    'boleto-files',
    'search',
    'links',
    'notifications',
    'sandbox',
    'merchant',
    'panel',
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
    settlement: ['value'],
    transaction: ['card', 'errors', 'validation', 'value'],
    wire: ['card', 'transaction', 'validation', 'value'],
    store: ['transaction', 'validation', 'wire'],
    explanation: ['card', 'errors', 'transaction', 'value', 'wire'],
  },
  people: {
    model: [],
    log: ['model'],
    'sign-in': ['log', 'model'],
    credential: ['sign-in', 'log', 'model'],
    link: ['credential', 'sign-in', 'log', 'model'],
    staff: ['link', 'sign-in', 'log', 'model'],
  },
  // These have no folders.
  client: {},
  work: {},
  banks: { model: [], sql: ['model'], payment: ['model', 'sql'], method: ['model', 'payment'] },
  operator: {
    model: [],
    sql: ['model'],
    api: ['model'],
    console: ['model'],
    'stores-api': ['model'],
  },
  'saved-cards': {},
  events: {
    model: [],
    sql: ['model'],
    acts: ['model', 'sql'],
    api: ['acts', 'model'],
    delivery: ['model', 'sql'],
    console: ['model'],
  },
  settlements: { model: [], sql: ['model'], console: ['model'] },
  'boleto-files': { model: [], sql: ['model'] },
  search: { model: [], sql: ['model'], api: ['model'], console: ['model'] },
  notifications: { model: [], sql: ['model'], delivery: ['model'], console: ['model'] },
  'provider-kit': {
    account: [],
    outbound: [],
    card: ['account', 'outbound'],
    bank: ['account'],
    report: [],
    simulator: ['account'],
  },
  // Zones: what charges cards, what is asked for money otherwise, and what plays the provider.
  ...ofProviders({ terms: [], card: ['terms'], bank: [], report: [], simulator: [] }),
  'providers/cnab': { record: [], remittance: ['record'], return: ['record'] },
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
    ledger: ['method', 'model'],
    method: ['model'],
    payment: ['ledger', 'method', 'model'],
    composition: ['ledger', 'method', 'payment', 'model'],
    methods: ['composition', 'method', 'payment', 'model'],
    worker: ['composition', 'payment', 'model'],
    api: ['composition', 'payment', 'method', 'model'],
    http: ['api'],
  },
  sandbox: {
    desk: [],
    database: [],
    'test-data': ['desk'],
    'simulated-page': [],
    wallet: ['simulated-page'],
    reference: [],
    inbox: ['database'],
    'request-log': ['database', 'desk'],
    'test-clock': ['database', 'desk'],
    'simulated-bank': ['database', 'desk', 'test-data'],
    card: ['simulated-page', 'simulated-bank', 'test-data'],
    rail: ['simulated-bank', 'wallet'],
    control: ['desk', 'test-clock'],
    stream: ['desk', 'request-log'],
    example: ['desk', 'rail', 'test-data'],
  },
  links: {
    model: [],
    sql: ['model'],
    page: ['model'],
    'page/text': [],
    console: ['model'],
    'page/frame': ['model', 'page/text'],
    'page/order': ['model', 'page/frame', 'page/text'],
    'page/try': ['model', 'page/frame', 'page/text'],
  },
  panel: {
    model: [],
    session: ['model'],
    visit: ['model', 'session'],
    part: ['model', 'visit'],
    frame: ['model', 'part', 'session', 'visit'],
    door: ['frame', 'model', 'part', 'visit'],
    'sandbox-sign-in': ['door', 'frame', 'part', 'session', 'visit'],
    export: ['frame', 'part', 'session', 'visit'],
    notification: ['part', 'visit'],
    me: ['door', 'frame', 'part', 'visit'],
    staff: ['export', 'frame', 'part', 'visit'],
    credentials: ['frame', 'part', 'sandbox-sign-in', 'session', 'visit'],
    sandbox: ['frame', 'model', 'part', 'session', 'visit'],
  },
  server: {
    config: [],
    installation: ['config'],
    observability: ['config', 'installation'],
    http: ['config', 'observability'],
    trial: ['config', 'installation', 'http'],
    process: ['config', 'installation', 'observability', 'http', 'trial'],
    doctor: ['config', 'installation'],
    commands: ['config', 'installation', 'observability', 'doctor', 'process', 'trial'],
  },
  vault: {
    model: [],
    keys: [],
    database: ['keys'],
    'data-key': ['database', 'keys'],
    audit: ['data-key', 'database', 'keys'],
    account: ['audit', 'data-key', 'database', 'keys'],
    session: ['data-key', 'database', 'keys', 'model'],
    'direct-token': ['session', 'audit', 'data-key', 'database', 'keys', 'model'],
    'card-testing': ['data-key', 'database', 'keys'],
    'field-settings': ['audit', 'database', 'model'],
    'saved-card': ['audit', 'data-key', 'database', 'keys'],
    authorization: [
      'saved-card',
      'card-testing',
      'direct-token',
      'outbox',
      'audit',
      'data-key',
      'database',
      'keys',
      'model',
    ],
    'card-check': [
      'authorization',
      'saved-card',
      'card-testing',
      'direct-token',
      'audit',
      'data-key',
      'database',
      'keys',
      'model',
    ],
    outbox: ['database', 'model'],
    refund: ['outbox', 'authorization', 'database', 'model'],
    capture: ['refund', 'outbox', 'authorization', 'audit', 'database'],
    notice: [
      'capture',
      'refund',
      'outbox',
      'saved-card',
      'authorization',
      'audit',
      'data-key',
      'database',
      'model',
    ],
    'later-reading': ['notice', 'authorization', 'database', 'model'],
    'link-fill': ['later-reading', 'notice', 'authorization', 'saved-card', 'data-key', 'database'],
    client: [],
    http: ['client', 'model'],
  },
}
/** The allowed entries of the provider kit, by the first path that matches. */
const kit = {
  '^packages/providers/[^/]+/src/terms/': ['account'],
  '^packages/providers/[^/]+/src/card/': ['account', 'outbound', 'card'],
  '^packages/providers/[^/]+/src/(bank|remittance|record|return|cnab-)': [
    'account',
    'outbound',
    'bank',
  ],
  '^packages/providers/[^/]+/src/report/': ['report'],
  '^packages/vault/': ['account', 'card'],
  '^packages/(gateway|banks)/': ['account', 'bank'],
  '^packages/settlements/': ['bank', 'report'],
  '^packages/(boleto-files|search|links)/': ['bank'],
  '^packages/sandbox/': ['bank', 'card'],
  '^packages/server/src/(?!process/)': ['account', 'bank', 'card', 'report'],
}
const arrows = Object.entries(folders).flatMap(([owner, rows]) => {
  const root = owner === 'demo' ? 'demo' : `packages/${owner}`
  return Object.entries(rows).map(([name, targets]) => ({ owner, root, name, targets }))
})
const error = (name, from, to) => ({ name, severity: 'error', from, to })
const frameworks = 'node_modules/(hono|kysely|pg)/'
const outer = '-(service|deps|store|store-sql|store-memory|routes)[.]ts$'
const tests =
  '[.](test|conformance|fixture)[.]tsx?$|^packages/.*/test/|^packages/(panel|gateway|operator|search)/src/testing'

export default {
  forbidden: [
    error('no-circular', {}, { circular: true }),
    error(
      'domain-is-pure',
      {
        path: '^packages/(vault|gateway|banks)/src/[^/]+/',
        pathNot: [
          outer,
          tests,
          '/src/(http|api|ledger|database|methods|composition)/',
          '/banks/src/(method/|payment/ports[.])',
          '-sql[.]ts$',
        ],
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
      { path: '^packages/(gateway|banks)/src/payment/', pathNot: ['/ports[.]ts$', tests] },
      { path: '^packages/(gateway/src/ledger|banks/src/sql)/' },
    ),
    error(
      'use-cases-see-the-ports-that-they-need',
      {
        path: '^packages/gateway/src/',
        pathNot: ['/(create-gateway|gateway-api|payment-methods|worker-service)[.]ts$', tests],
      },
      { path: '^packages/gateway/src/composition/' },
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
        pathNot: '^packages/(contracts|work)/|^packages/vault/src/client/',
      },
    ),
    error(
      'demo-is-a-merchant',
      { path: '^demo/' },
      { path: '^packages/', pathNot: '^packages/(merchant|pages)/' },
    ),
    error(
      'the-command-line-knows-no-command',
      { path: '^packages/server/src/commands/line/', pathNot: tests },
      { path: '^packages/server/src/commands/(?!line/)' },
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
    ...Object.entries(kit).map(([folder, entries]) =>
      error(
        `kit-entries-of ${folder}`,
        { path: folder, pathNot: tests },
        {
          path: '^packages/provider-kit/',
          pathNot: `^packages/provider-kit/dist/(${entries.join('|')})/`,
        },
      ),
    ),
    error(
      'rooms-enter-the-core-by-one-door',
      {
        path: '^packages/(settlements|boleto-files|links|search|operator|notifications|saved-cards|events)/',
        pathNot: tests,
      },
      { path: '^packages/gateway/', pathNot: '^packages/gateway/dist/room[.]' },
    ),
    error(
      'banks-enter-the-core-by-its-door-for-methods',
      { path: '^packages/banks/', pathNot: tests },
      { path: '^packages/gateway/', pathNot: '^packages/gateway/dist/method[.]' },
    ),
    error(
      'the-door-for-methods-is-for-them-alone',
      { pathNot: ['^packages/(gateway|banks)/', tests] },
      { path: '^packages/gateway/dist/method[.]' },
    ),
    error(
      'rooms-enter-banks-by-one-door',
      { path: '^packages/(settlements|boleto-files)/', pathNot: tests },
      { path: '^packages/banks/', pathNot: '^packages/banks/dist/room[.]' },
    ),
    error(
      'what-plays-providers-is-loaded-by-the-registry',
      {
        path: '^packages/',
        pathNot: [tests, '^packages/providers/(index/src/|[^/]+/src/simulator/)'],
      },
      { path: '^packages/providers/[^/]+/(dist|src)/simulator/' },
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
      // By default it forgets the files that it found within the run.
      cachedInputFileSystem: { cacheDuration: 600_000 },
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
    },
  },
}
