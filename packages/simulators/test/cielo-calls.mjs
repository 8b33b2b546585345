// Makes the calls that stand in the second argument, `[part, method, ...arguments]` each, with a
// stranger's client of Cielo, whose credentials stand in the first; prints the answers.
import process from 'node:process'
import library from 'cielo'

const [credentials, calls] = process.argv.slice(2).map((text) => JSON.parse(text))
const cielo = new library.Cielo({ ...credentials, sandbox: true })
const answers = []
for (const [part, method, ...values] of calls) {
  try {
    answers.push({ answer: await cielo[part][method](...values) })
  } catch ({ statusCode, response, message }) {
    answers.push({ error: { statusCode, code: response?.Code, message } })
  }
}
console.log(JSON.stringify(answers))
