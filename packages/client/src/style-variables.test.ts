import { describe, expect, it } from 'vitest'
import { FONT_NAMES, STYLE_NAMES, styleVariables } from './style-variables.js'

it.each([
  ['colorText', '#1a2b3c', '--color-text'],
  ['colorLabel', '#ABC', '--color-label'],
  ['colorPlaceholder', '#abcd', '--color-placeholder'],
  ['colorBackground', 'transparent', '--color-background'],
  ['colorField', 'rgb(255, 255, 255)', '--color-field'],
  ['colorBorder', 'rgba(0,0,0,.5)', '--color-border'],
  ['colorFocus', 'hsl(210 80% 40%)', '--color-focus'],
  ['colorError', 'rgb(200 0 0 / 80%)', '--color-error'],
  ['fontSize', '18px', '--font-size'],
  ['fontSize', '1.125rem', '--font-size'],
  ['fontWeight', '400', '--font-weight'],
  ['labelWeight', '700', '--label-weight'],
  ['borderRadius', '0', '--border-radius'],
  ['borderRadius', '0.5rem', '--border-radius'],
  ['borderWidth', '2px', '--border-width'],
  ['padding', '12px', '--padding'],
  ['spacing', '16px', '--spacing'],
])('%s may be %s', (name, value, variable) => {
  expect(styleVariables({ [name]: value })).toEqual({ variables: [[variable, value]], refused: [] })
})

it('every name may be set, and every font has a list of its own', () => {
  expect(STYLE_NAMES).toHaveLength(16)
  const stacks = FONT_NAMES.map((fontFamily) => styleVariables({ fontFamily }).variables[0]?.[1])
  expect(new Set(stacks).size).toBe(FONT_NAMES.length)
  expect(stacks).not.toContain(undefined)
})

describe('what is not allowed', () => {
  it.each([
    'red;}body{display:none',
    '#fff;}',
    '#fff}',
    '#fff\n}',
    'url(https://evil.example/?)',
    'url(data:image/png;base64,AA)',
    'image-set("https://evil.example" 1x)',
    'var(--color-text)',
    'expression(alert(1))',
    'rgb(0,0,0) url(https://evil.example)',
    'rgb(calc(1*1), 0, 0)',
    'attr(data-x)',
    '#ff',
    '#12345',
    '',
    'red',
    'currentColor',
    '#fff /* */',
    '\\75rl(x)',
  ])('as a colour: %j', (value) => {
    expect(styleVariables({ colorText: value })).toEqual({ variables: [], refused: ['colorText'] })
  })

  it.each(['1000px', '-1px', '1em', '100%', '1vw', '10', 'calc(1px)', '1px 2px', '1px;', 'auto'])(
    'as a length: %j',
    (value) => {
      expect(styleVariables({ padding: value }).refused).toEqual(['padding'])
    },
  )

  it.each(['0px', '8px', '11px', '33px', '0.5rem', '3rem', '16'])(
    'as a size of letters: %j',
    (value) => {
      expect(styleVariables({ fontSize: value }).refused).toEqual(['fontSize'])
    },
  )

  it.each(['Comic Sans', 'system; src: url(x)', 'constructor', '__proto__', ''])(
    'as a font: %j',
    (value) => {
      expect(styleVariables({ fontFamily: value }).refused).toEqual(['fontFamily'])
    },
  )

  it.each(['color', 'background', 'content', '--color-text', 'constructor', 'cssText', 'opacity'])(
    'as a name: %j',
    (name) => {
      expect(styleVariables({ [name]: '#fff' })).toEqual({ variables: [], refused: [name] })
    },
  )

  it('keeps what is allowed beside it', () => {
    expect(styleVariables({ colorText: '#000', opacity: '0' })).toEqual({
      variables: [['--color-text', '#000']],
      refused: ['opacity'],
    })
  })
})
