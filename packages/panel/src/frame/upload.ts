// Forms with a file. They may be long, so they are streamed.
import path from 'node:path'
import { Readable } from 'node:stream'
import { MalformedFormError } from '@cofre/pages'
import { Busboy } from '@fastify/busboy'
import type { Form, PanelContext } from '../visit/visit.js'

/** A posted form whose last field is an unread file. */
export interface UploadForm {
  /** The fields before the file. */
  readonly form: Form
  readonly file: UploadedContent | undefined
}

export interface UploadedContent {
  /** The file's name at its sender, without a path. */
  readonly name: string
  /** Ends with an error if the connection breaks. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Anything beyond is refused, not skipped: skipping has no end. */
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
    // Node and the web have two types for a stream of bytes.
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
    parser.on('field', (name, value) => form.set(name, value))
    parser.on('file', (_, content, name?: string) => {
      // The upload may break off before anything reads it: an error without a listener ends the
      // process.
      content.on('error', () => undefined)
      source.on('error', (error) => content.destroy(error))
      parser.on('error', () => content.destroy(new MalformedFormError()))
      // Browsers send an empty name if no file was chosen; a part without a name is not a file.
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
    // The form has no boundary.
    refuse()
    return undefined
  }
}
