// Forms with a file: the only ones that are not read whole, and may be long.
import path from 'node:path'
import { Readable } from 'node:stream'
import { MalformedFormError } from '@cofre/pages'
import { Busboy } from '@fastify/busboy'
import type { Form, PanelContext } from './visit.js'

/** A posted form whose last field is a file, which has not been read yet. */
export interface UploadForm {
  /** Those before the file. */
  readonly form: Form
  readonly file: UploadedContent | undefined
}

export interface UploadedContent {
  /** As it is called where it comes from, without a path. */
  readonly name: string
  /** Ends with an error where the connection does. */
  readonly content: AsyncIterable<Uint8Array>
}

/** What is beyond is not skipped but refused: skipping has no end. */
const LIMITS = {
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1024,
  files: 1,
  parts: 11,
  headerPairs: 20,
}

/**
 * Reads a form up to its file.
 * @throws MalformedFormError
 */
export function readUpload({ req }: PanelContext): Promise<UploadForm> {
  const contentType = req.header('Content-Type') ?? ''
  const { body } = req.raw
  if (!/^multipart\/form-data;/i.test(contentType) || body === null)
    return Promise.reject(new MalformedFormError())
  const form = new Map<string, string>()
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      reject(new MalformedFormError())
    }
    const parser = parserOf(contentType, refuse)
    if (parser === undefined) return
    // What Node and the web call a stream of bytes are two types, where both are known.
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    parser.on('field', (name, value) => form.set(name, value))
    parser.on('file', (_, content, name?: string) => {
      // It may break off before anybody reads it: an error without a listener ends the process.
      content.on('error', () => undefined)
      source.on('error', (error) => content.destroy(error))
      parser.on('error', () => content.destroy(new MalformedFormError()))
      // Browsers send an empty name where none was chosen; without one it is no file.
      if (name === undefined || name === '') content.resume()
      else resolve({ form, file: { name: path.posix.basename(name), content } })
    })
    parser.on('finish', () => {
      resolve({ form, file: undefined })
    })
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      parser.on(limit, () => source.destroy(new MalformedFormError()))
    parser.on('error', refuse)
    source.on('error', refuse)
    source.pipe(parser)
  })
}

function parserOf(contentType: string, refuse: () => void) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    // Without a boundary.
    refuse()
    return undefined
  }
}
