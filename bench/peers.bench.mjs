// What other scripts cost that encrypt a card on the shop's page, or load one that does: whole
// scripts of the npm registry, each minified by the terser that makes ours.
import './lib/cleanup.mjs'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { minify } from 'terser'
import { gzipBytes } from './lib/bundle-modules.mjs'
import { report } from './lib/compare.mjs'

const PEERS = [
  { name: 'payment-token-efi', version: '3.4.1', file: 'dist/payment-token-efi.min.js' },
  { name: 'adyen-cse-js', version: '0.1.19', file: 'js/adyen.encrypt.min.js' },
  { name: 'pagarme', version: '4.35.2', file: 'browser/pagarme.min.js' },
  { name: '@juspay-tech/hyper-js', version: '2.1.0', file: 'dist/index.mjs' },
  { name: '@stripe/stripe-js', version: '10.2.1', file: 'dist/index.mjs' },
  { name: '@vgs/collect-js', version: '0.7.3', file: 'dist/collect-js.esm.js' },
]

const folder = mkdtempSync(path.join(tmpdir(), 'peers-'))
const rows = []
for (const peer of PEERS) {
  const code = readFileSync(path.join(unpack(peer), peer.file), 'utf8')
  const minified = await minify(code, {
    module: peer.file.endsWith('.mjs') || peer.file.endsWith('.esm.js'),
    format: { comments: false },
  })
  rows.push({
    what: `bytes gzip -9 of ${peer.name} ${peer.version}`,
    value: gzipBytes(minified.code),
  })
}
report('peers', rows)

/** The folder of a package as the registry has it, without what it depends on. */
function unpack({ name, version }) {
  const packed = npm('pack', `${name}@${version}`, '--json', '--pack-destination', folder)
  const [{ filename }] = JSON.parse(packed)
  const own = mkdtempSync(path.join(folder, 'package-'))
  execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', own])
  return path.join(own, 'package')
}

function npm(...args) {
  // Under `npm run` it says where its script is; alone it is a command.
  const script = process.env.npm_execpath
  const [command, first] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  return execFileSync(command, [...first, ...args], { encoding: 'utf8' })
}
