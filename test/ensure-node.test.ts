import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGES, installPackage } from '../.ci/ensure-node.mjs'

describe('The Node that is fetched for an older machine', () => {
  const genuine = Buffer.from('a package of Node')
  const integrity = `sha512-${createHash('sha512').update(genuine).digest('base64')}`

  /** Makes the registry return these bytes. `asked` receives the npm commands. */
  const fetched = (bytes: Buffer) => {
    const asked: string[] = []
    const install = () => {
      installPackage({ spec: 'node-there@1.0.0', integrity }, ([command = '', ...args]) => {
        asked.push(command)
        const folder = args[args.indexOf('--pack-destination') + 1] ?? ''
        if (command === 'pack') writeFileSync(path.join(folder, 'node-there-1.0.0.tgz'), bytes)
        else expect(args.at(-1)).toMatch(/node-there-1\.0\.0\.tgz$/)
      })
    }
    return { asked, install }
  }

  it('is installed from the file whose hash was looked at', () => {
    const { asked, install } = fetched(genuine)
    install()
    expect(asked).toEqual(['pack', 'install'])
  })

  it('is not installed when one byte is another', () => {
    const forged = Buffer.from(genuine)
    forged[3] = 0x21
    const { asked, install } = fetched(forged)
    expect(install).toThrow(/^node-there@1\.0\.0 is not what it was, and is not installed: /)
    expect(asked).toEqual(['pack'])
  })

  it.each(Object.entries(PACKAGES))('has its hash written down: %s', (_, node) => {
    expect(node.spec).toMatch(/^node-[a-z0-9-]+@24\.\d+\.\d+$/)
    expect(node.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  })
})
