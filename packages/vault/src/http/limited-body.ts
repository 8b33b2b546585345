import { ApiError } from '@cofre/contracts'

/**
 * Reads a request's body as UTF-8 text, up to the allowed size.
 * @throws ApiError `body_too_large`, `request_malformed` if it breaks off
 */
export async function readLimitedText(request: Request, bytesMax: number): Promise<string> {
  const declared = request.headers.get('Content-Length')
  if (Number(declared ?? 0) > bytesMax) throw new ApiError('body_too_large')
  // Node ends a body at its declared length. Only a body without one needs a stream that counts it.
  const hidesLength = declared === null || request.headers.has('Transfer-Encoding')
  try {
    if (!hidesLength) return Buffer.from(await request.arrayBuffer()).toString('utf8')
    const chunks: Uint8Array[] = []
    let size = 0
    const body: AsyncIterable<Uint8Array> | null = request.body
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > bytesMax) throw new ApiError('body_too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (cause) {
    // The sender is responsible for a body that breaks off.
    throw cause instanceof ApiError ? cause : new ApiError('request_malformed', { cause })
  }
}
