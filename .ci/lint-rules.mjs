// Rules that the linter has not.
import { TSDocParser, TextRange } from '@microsoft/tsdoc'

const WIDTH = 100

/** Code is as wide as the formatter makes it; nobody wraps a comment but its author. */
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

/** Test files share what they import: a hook there would run for the first of them alone. */
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
    'no-hook-in-fixture': noHookInFixture,
  },
}
