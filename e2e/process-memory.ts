import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import process from 'node:process'
import type { CofreProcess } from './cofre-process.js'

/** Node's options for a process with a readable heap, including its long strings. */
export const INSPECTABLE = ['--inspect=127.0.0.1:0', '--heap-snapshot-string-limit=10000000']

interface InspectorMessage {
  readonly id?: number
  readonly params?: { readonly chunk?: string }
}

/** A current snapshot of the process's JavaScript heap, as JSON. */
export async function heapSnapshot(cofre: CofreProcess): Promise<string> {
  const url = /ws:\/\/\S+/.exec(cofre.output())?.[0]
  if (url === undefined) throw new Error('the process was not started to be inspected')
  const inspector = new WebSocket(url)
  const chunks: string[] = []
  await new Promise<void>((resolve, reject) => {
    inspector.onerror = () => {
      reject(new Error('the inspector does not answer'))
    }
    inspector.onopen = () => {
      inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.takeHeapSnapshot' }))
    }
    inspector.onmessage = ({ data }) => {
      const { id, params } = JSON.parse(String(data)) as InspectorMessage
      if (params?.chunk !== undefined) chunks.push(params.chunk)
      if (id === 1) resolve()
    }
  })
  inspector.close()
  return chunks.join('')
}

const CHUNK_BYTES = 4 * 1024 * 1024

/**
 * The given texts that are anywhere in the process's writable memory, buffers and freed blocks
 * included. Stops the process meanwhile: its garbage collection would move texts past the search.
 * Linux only.
 */
export function textsInMemory({ pid }: CofreProcess, texts: readonly string[]): string[] {
  process.kill(pid, 'SIGSTOP')
  try {
    return textsInStopped(pid, texts)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

function textsInStopped(pid: number, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) =>
    (['latin1', 'utf16le'] as const).map((encoding) => ({
      text,
      bytes: Buffer.from(text, encoding),
    })),
  )
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1
  const found = new Set<string>()
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  for (const { start, end } of writtenRanges(pid)) {
    for (let from = start; from < end; from += CHUNK_BYTES - overlap) {
      const chunk = buffer.subarray(0, Math.min(CHUNK_BYTES, end - from))
      const read = chunk.subarray(0, readMemory(memory, chunk, from))
      for (const { text, bytes } of needles) if (read.includes(bytes)) found.add(text)
    }
  }
  closeSync(memory)
  return [...found]
}

interface Range {
  readonly start: number
  readonly end: number
}

/** A page's eight bytes in `pagemap`; the top bits are set if it is in memory or swapped out. */
const ENTRY_BYTES = 8
const THERE = 0xc0

/**
 * The memory that the process has written: a sixth of its writable memory, most of which it never
 * touched.
 */
function writtenRanges(pid: number): Range[] {
  const pageBytes = Number(execFileSync('getconf', ['PAGESIZE']))
  const pages = openSync(`/proc/${pid}/pagemap`, 'r')
  const written = writableRanges(pid).flatMap(({ start, end }) => {
    const count = (end - start) / pageBytes
    const entries = Buffer.alloc(count * ENTRY_BYTES)
    readSync(pages, entries, 0, entries.length, (start / pageBytes) * ENTRY_BYTES)
    const isThere = (page: number): boolean =>
      ((entries[page * ENTRY_BYTES + ENTRY_BYTES - 1] ?? 0) & THERE) !== 0
    const ranges: Range[] = []
    for (let page = 0; page < count; page++) {
      const first = page
      while (isThere(page)) page++
      if (page > first)
        ranges.push({ start: start + first * pageBytes, end: start + page * pageBytes })
    }
    return ranges
  })
  closeSync(pages)
  return written
}

function writableRanges(pid: number): Range[] {
  const ranges = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)
  return [...ranges].map(([, start = '', end = '']) => ({
    start: Number.parseInt(start, 16),
    end: Number.parseInt(end, 16),
  }))
}

/** Number of bytes read; 0 if the range was released meanwhile. */
function readMemory(memory: number, into: Buffer, at: number): number {
  try {
    return readSync(memory, into, 0, into.length, at)
  } catch {
    return 0
  }
}
