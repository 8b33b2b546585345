// Rules that the linter lacks.
import { TSDocParser, TextRange } from '@microsoft/tsdoc'
import { privateWords } from './plain-words.mjs'

const WIDTH = 100

/** The formatter does not wrap comments. */
const commentWidth = {
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const { loc } of sourceCode.getAllComments())
        for (let line = loc.start.line; line <= loc.end.line; line++) {
          const { length } = sourceCode.lines[line - 1].replace(/https?:\S+/, '')
          if (length > WIDTH)
            report({
              loc: { start: { line, column: WIDTH }, end: { line, column: length } },
              message: `This comment is wider than ${WIDTH} columns.`,
            })
        }
    },
  }),
}

const parser = new TSDocParser()

const docSyntax = {
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const { range } of sourceCode.getAllComments()) {
        const [from, to] = range
        if (!sourceCode.text.startsWith('/**', from)) continue
        const { log } = parser.parseRange(TextRange.fromStringRange(sourceCode.text, from, to))
        for (const { text, textRange } of log.messages)
          report({
            loc: {
              start: sourceCode.getLocFromIndex(textRange.pos),
              end: sourceCode.getLocFromIndex(textRange.end),
            },
            message: text,
          })
      }
    },
  }),
}

/** Consecutive line comments are one text. */
function* texts(comments) {
  let text
  for (const { type, value, loc } of comments) {
    const isNext = type === 'Line' && text?.type === 'Line' && text.end === loc.start.line - 1
    if (isNext) {
      text.value += `\n${value}`
      text.end = loc.end.line
      continue
    }
    if (text !== undefined) yield text
    text = { type, value, loc, end: loc.end.line }
  }
  if (text !== undefined) yield text
}

const plainWords = {
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const { value, loc } of texts(sourceCode.getAllComments())) {
        const found = privateWords(value.replaceAll(/[\s*]+/g, ' ').trim())
        if (found.length > 0)
          report({ loc, message: `Plainer words for ${found.join(', ')} (CONTRIBUTING, rules).` })
      }
    },
  }),
}

/** Test files share their imports: a hook there would run only for the first of them. */
const noHookInFixture = {
  create: ({ report }) => ({
    'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)/]'(node) {
      report({ node, message: 'This would run for the first test file alone.' })
    },
  }),
}

export default {
  meta: { name: 'cofre' },
  rules: {
    'comment-width': commentWidth,
    'doc-syntax': docSyntax,
    'plain-words': plainWords,
    'no-hook-in-fixture': noHookInFixture,
  },
}
