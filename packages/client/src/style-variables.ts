/** Values that a page may set: never CSS, only our own variables, each of one form. */
const COLOUR =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl)a?\([\d.,%/ ]{5,40}\)|transparent)$/i
const LENGTH = /^(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|rem))$/
/** Smaller text is unreadable, and phones zoom in on inputs below 16 px. */
const FONT_SIZE = /^(?:1[2-9]|2\d|3[0-2])px$|^(?:0\.(?:7[5-9]|[89]\d?)|1(?:\.\d{1,3})?|2)rem$/
const FONT_WEIGHT = /^[3-7]00$/

const FORMS = {
  colorText: COLOUR,
  colorLabel: COLOUR,
  colorPlaceholder: COLOUR,
  colorBackground: COLOUR,
  colorField: COLOUR,
  colorBorder: COLOUR,
  colorFocus: COLOUR,
  colorError: COLOUR,
  fontSize: FONT_SIZE,
  fontWeight: FONT_WEIGHT,
  labelWeight: FONT_WEIGHT,
  borderRadius: LENGTH,
  borderWidth: LENGTH,
  padding: LENGTH,
  spacing: LENGTH,
} as const satisfies Record<string, RegExp>

/** Fonts that every machine has, or has a similar one for. */
const FONTS = {
  system: 'system-ui, sans-serif',
  sans: 'Arial, Helvetica, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  mono: 'ui-monospace, Consolas, monospace',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", sans-serif',
  rounded: 'ui-rounded, "Arial Rounded MT", Quicksand, sans-serif',
} as const

/** Style names that a page may set, for the documentation. */
export const STYLE_NAMES: readonly string[] = [...Object.keys(FORMS), 'fontFamily']
export const FONT_NAMES: readonly string[] = Object.keys(FONTS)

const forms = new Map<string, RegExp>(Object.entries(FORMS))
const fonts = new Map<string, string>(Object.entries(FONTS))

const variableOf = (name: string): string =>
  '--' + name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())

/** Value of one of our variables; undefined if the name or the value is not allowed. */
function valueOf(name: string, value: string): string | undefined {
  if (name === 'fontFamily') return fonts.get(value)
  return forms.get(name)?.test(value) ? value : undefined
}

/** The variables that a style sets, and the names that it may not set. */
export function styleVariables(style: Readonly<Record<string, string>>): {
  readonly variables: readonly (readonly [variable: string, value: string])[]
  readonly refused: readonly string[]
} {
  const read = Object.entries(style).map(
    ([name, value]) => [name, valueOf(name, value.trim())] as const,
  )
  return {
    variables: read.flatMap(([name, value]) =>
      value === undefined ? [] : [[variableOf(name), value] as const],
    ),
    refused: read.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  }
}
