// The reach of one change. Each figure's rule is above the function that counts it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export const ts = createRequire(import.meta.url)('typescript')

const CAPABILITIES = {
  settlements: /settlement/i,
  links: /payment-?link|pay-?link|link-?(?:try|tries|order|payment)/i,
  notifications: /notification/i,
  cards: /card/i,
  search: /search|figure/i,
}
const ACQUIRERS = ['cielo', 'adyen']
const METHODS = ['credit-card', 'postpay', 'boleto', 'eft', 'pix', 'e-wallet']
const DUE_COLUMN =
  /\b(?:lease_until|probe_at|try_at|look_at|activate_at|next_(?:\w+_)?at)(?:_ms)?['`]$/
/** The commands `serve` and `dev`, and the scripts they serve to browsers. */
const ENTRIES = /^packages\/(?:server\/src\/commands\/run[.]ts$|client\/src\/)/

const isScript = ({ path: file }) => /^packages\/(?:providers\/)?[^/]+\/src\/.*[.]tsx?$/.test(file)
export const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)
export const lineCount = (text) => text.split('\n').length - 1

/** A program over a checkout whose packages find each other's sources, without a build. */
function programOf(root, files) {
  const entriesOf = ({ path: file, text }) => {
    const { name, exports = {} } = JSON.parse(text)
    return Object.entries(exports).flatMap(([entry, { types }]) => {
      const source = types?.replace('dist', 'src').replace('.d.ts', '.ts')
      const target = source && path.join(root, path.dirname(file), source)
      return target === undefined ? [] : [[path.posix.join(name, entry), [target]]]
    })
  }
  const manifests = files.filter(({ path: file }) => file.endsWith('/package.json'))
  const { Bundler: moduleResolution } = ts.ModuleResolutionKind
  const paths = Object.fromEntries(manifests.flatMap(entriesOf))
  const options = { paths, moduleResolution, module: ts.ModuleKind.ESNext, strict: true, types: [] }
  const names = files.filter(isScript).map(({ path: file }) => path.join(root, file))
  return ts.createProgram(names, options)
}

/** The tokens of a script, without its comments. */
function tokensOf(node, source) {
  if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode)
    return []
  const children = node.getChildren(source)
  if (children.length > 0) return children.flatMap((child) => tokensOf(child, source))
  return node.end > node.getStart(source) ? [node] : []
}

// A script belongs to a capability if its path, or half of its exported names, contains its word.
// It counts for the outermost folder with the word, else for its own.
function placesOf(scripts, word) {
  const lines = new Map()
  for (const { path: file, text, exported } of scripts) {
    const parts = file.split('/')
    const named = parts.findIndex((part) => word.test(part))
    const about = exported.filter((name) => word.test(name)).length
    if (named < 0 && (about === 0 || about * 2 < exported.length)) continue
    const place = parts.slice(0, named < 0 ? -1 : Math.min(named + 1, parts.length - 1)).join('/')
    lines.set(place, (lines.get(place) ?? 0) + lineCount(text))
  }
  const all = sum([...lines.values()])
  const largestFirst = [...lines].toSorted(([, one], [, other]) => other - one)
  return largestFirst.map(([place, own]) => `${Math.round((100 * own) / all)} % ${place}`)
}

// A file names an acquirer in its code, without comments, or in its texts; no folder above it does.
function namesAcquirer({ path: file, code }, name) {
  return !path.dirname(file).split('/').includes(name) && code.toLowerCase().includes(name)
}

// A script names a payment method if a string of its code is the method.
const namesMethod = ({ tokens }) =>
  tokens.some((token) => ts.isStringLiteral(token) && METHODS.includes(token.text))

// A script claims due work by hand if it locks rows with `skip locked`, or compares a column of
// leases or due times with a time: by `<` or `>`, or by a function whose name begins with `is`.
// `packages/work` and the dialects in `packages/sql` are exempt.
function claimsByHand({ path: file, source, code }) {
  if (/^packages\/(?:work|sql)\//.test(file)) return false
  const compares = (node) => {
    if (ts.isCallExpression(node)) {
      const [column = '', operator = ''] = node.arguments.map((given) => given.getText(source))
      const isByFunction = /^is[A-Z]/.test(node.expression.getText(source))
      if (DUE_COLUMN.test(column) && (isByFunction || /^'[<>]=?'$/.test(operator))) return true
    }
    return ts.forEachChild(node, compares) ?? false
  }
  return /skipLocked|skip locked/.test(code) || compares(source)
}

// The members of the widest interface or type whose name ends in `Deps`, inherited ones included.
function widestDeps(checker, scripts) {
  const isDeps = (node) =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
    node.name.text.endsWith('Deps')
  const membersOf = ({ name }) => checker.getPropertiesOfType(checker.getTypeAtLocation(name))
  const all = scripts
    .flatMap(({ source }) => source.statements.filter(isDeps))
    .map((node) => ({ name: node.name.text, names: membersOf(node).map(({ name }) => name) }))
  const [{ name, names }] = all.toSorted((a, b) => b.names.length - a.names.length)
  return names.map((member) => `${name}.${member}`)
}

// The product: all imports of the entries, including types and lazy imports; texts in JSON count.
function loadedFrom(root, program) {
  const loaded = new Set()
  const follow = (file) => {
    const source = program.getSourceFile(file)
    if (source === undefined || loaded.has(file) || !file.startsWith(`${root}/packages/`)) return
    loaded.add(file)
    for (const { fileName } of ts.preProcessFile(source.text).importedFiles) {
      const found = ts.resolveModuleName(fileName, file, program.getCompilerOptions(), ts.sys)
      if (found.resolvedModule !== undefined) follow(found.resolvedModule.resolvedFileName)
    }
  }
  const names = program.getRootFileNames()
  for (const name of names.filter((one) => ENTRIES.test(path.relative(root, one)))) follow(name)
  return loaded
}

/** Rows of Markdown tables, without their heads. */
function tableRows(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  return lines.length - 2 * lines.filter((line) => /^\|[ :|-]+\|$/.test(line)).length
}

/** The scripts of a checkout, and the texts that they import. */
function readAll(root, files) {
  const program = programOf(root, files)
  const checker = program.getTypeChecker()
  const loaded = loadedFrom(root, program)
  const exportsOf = (source) => {
    const module = checker.getSymbolAtLocation(source)
    return module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => name)
  }
  const read = files.flatMap((file) => {
    const source = program.getSourceFile(path.join(root, file.path))
    if (source === undefined) return []
    const tokens = tokensOf(source, source)
    const code = tokens.map((token) => token.getText(source)).join(' ')
    const isLoaded = loaded.has(source.fileName)
    return [{ ...file, source, tokens, code, isLoaded, exported: exportsOf(source) }]
  })
  return { checker, read }
}

/** Each figure with its question, and the names that it counts. */
export function houseFigures(root, files) {
  const { checker, read } = readAll(root, files)
  const scripts = read.filter(isScript)
  const product = read.filter(({ isLoaded }) => isLoaded)
  const folders = Object.groupBy(scripts, ({ path: file }) => path.dirname(file))
  const flat = Object.keys(folders).filter((name) => folders[name].length > 20)
  const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
  const isGateway = (file) => file.startsWith('packages/gateway/')
  const gateway = scripts.find(({ path: file }) => file === 'packages/gateway/src/index.ts')
  const pathsOf = (list, isCounted) => list.filter(isCounted).map(({ path: file }) => file)
  const byMethod = pathsOf(scripts, namesMethod)
  const rows = {}
  for (const [of, word] of Object.entries(CAPABILITIES))
    rows[`places of ${of}`] = placesOf(scripts, word)
  for (const of of ACQUIRERS)
    rows[`files elsewhere that name ${of}`] = pathsOf(read, (file) => namesAcquirer(file, of))
  return Object.entries({
    ...rows,
    'files of the gateway that name a payment method': byMethod.filter(isGateway),
    'files elsewhere that name one': byMethod.filter((file) => !isGateway(file)),
    'files that claim due work by hand': pathsOf(scripts, claimsByHand),
    'members of the widest dependencies': widestDeps(checker, scripts),
    'exports of the gateway’s index': gateway.exported,
    'product lines': sum(product.map(({ text }) => lineCount(text))),
    'product tokens / 10': Math.round(sum(product.map(({ tokens }) => tokens.length)) / 10),
    'KB of ARCHITECTURE.md': Math.round(architecture.length / 1024),
    'rows of its tables': tableRows(architecture),
    'folders of more than 20 scripts': flat,
  })
}
