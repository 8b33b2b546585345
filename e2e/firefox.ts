import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const NAMES = ['firefox-esr', 'firefox', 'firefox.exe']
const FOLDERS = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  '/Applications/Firefox.app/Contents/MacOS',
  path.join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Mozilla Firefox'),
]

/** An unmodified Firefox of this machine that starts: FIREFOX_PATH, or an installed one. */
export function findFirefox(): string | undefined {
  const named = process.env.FIREFOX_PATH
  if (named !== undefined && named !== '') return named
  return FOLDERS.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(
    (file) => existsSync(file) && spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0,
  )
}

/** A document in Firefox: of a page or of a frame. */
interface FirefoxDocument {
  /** Resolves to the value of a JavaScript expression, awaited; it must be a string. */
  evaluate(expression: string): Promise<string>
  /** Presses the keys one by one in the focused element. */
  press(keys: string): Promise<void>
}

/** A page in Firefox, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi). */
export interface FirefoxPage extends FirefoxDocument {
  readonly version: string
  goto(url: string): Promise<void>
  /** Presses or releases the mouse on the element. */
  mouse(act: 'pointerDown' | 'pointerUp', selector: string): Promise<void>
  /** The document of the page's first frame. */
  frame(): Promise<FirefoxDocument>
  close(): Promise<void>
}

const START_MS_MAX = 60_000

/**
 * Starts Firefox with its own profile.
 * @throws if it does not offer BiDi within a minute
 */
export async function openFirefox(program: string): Promise<FirefoxPage> {
  const profile = mkdtempSync(path.join(tmpdir(), 'cofre-firefox-'))
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const close = async (): Promise<void> => {
    await ended(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    const send = await connect(`${await bidiAddress(child)}/session`)
    const { capabilities } = await send('session.new', { capabilities: {} })
    const { contexts } = await send('browsingContext.getTree', {})
    const [{ context }] = contexts as [{ context: string }]
    return {
      version: (capabilities as { browserVersion: string }).browserVersion,
      async goto(url) {
        await send('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      ...documentIn(send, context),
      async mouse(type, selector) {
        const { nodes } = await send('browsingContext.locateNodes', {
          context,
          locator: { type: 'css', value: selector },
        })
        const [element] = nodes as unknown[]
        const origin = { type: 'element', element }
        const actions = [
          { type: 'pointerMove', x: 0, y: 0, origin },
          { type, button: 0 },
        ]
        const mouse = { type: 'pointer', id: 'mouse', actions }
        await send('input.performActions', { context, actions: [mouse] })
      },
      async frame() {
        const tree = await send('browsingContext.getTree', { root: context })
        const [page] = tree.contexts as [{ children: [{ context: string }] }]
        return documentIn(send, page.children[0].context)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function documentIn(send: Send, context: string): FirefoxDocument {
  return {
    async evaluate(expression) {
      const target = { context }
      const answer = await send('script.evaluate', { expression, target, awaitPromise: true })
      const { type, value } = (answer.result ?? {}) as { type?: string; value?: string }
      if (type !== 'string' || value === undefined) throw new Error(JSON.stringify(answer))
      return value
    },
    async press(keys) {
      const actions = Array.from(keys).flatMap((value) =>
        ['keyDown', 'keyUp'].map((type) => ({ type, value })),
      )
      const keyboard = { type: 'key', id: 'keyboard', actions }
      await send('input.performActions', { context, actions: [keyboard] })
    },
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve()
    })
    child.kill()
  })
}

function bidiAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const timer = setTimeout(() => {
      reject(new Error(`Firefox does not offer WebDriver BiDi:\n${printed}`))
    }, START_MS_MAX)
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(printed)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`Firefox ended with ${code}:\n${printed}`))
    })
  })
}

type Answer = Record<string, unknown>
type Send = (method: string, params: object) => Promise<Answer>

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => {
      reject(new Error(`no connection to ${url}`))
    })
  })
  const waiting = new Map<number, Waiting>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number; result?: Answer; message?: string }
    const asked = waiting.get(message.id ?? -1)
    if (message.result !== undefined) asked?.resolve(message.result)
    else asked?.reject(new Error(message.message))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed'))
  })
  let lastId = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params }))
    })
}
