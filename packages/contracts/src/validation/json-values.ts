/** Two thousand items of a cart, each with all its fields. */
export const JSON_VALUES_MAX = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = 0x5b
const OBJECT = 0x7b

/**
 * True if a JSON text has more values than a request may have, nested ones too: they cost far more
 * to parse and validate than to receive. Reads each byte once, and does not check the form.
 */
export function holdsManyValues(json: Uint8Array, valuesMax: number = JSON_VALUES_MAX): boolean {
  let values = 1
  let isText = false
  for (let at = 0; at < json.length && values <= valuesMax; at += 1) {
    const byte = json[at]
    if (isText) {
      if (byte === BACKSLASH) at += 1
      else isText = byte !== QUOTE
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1
  }
  return values > valuesMax
}
