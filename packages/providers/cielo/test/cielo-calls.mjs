// Makes the calls of each message, `[part, method, ...arguments]` each, with a third-party client
// of Cielo, with the given credentials; sends the answers back.
import process from 'node:process'
import library from 'cielo'

process.on('message', async ({ options: credentials, calls }) => {
  const cielo = new library.Cielo({ ...credentials, sandbox: true })
  const answers = []
  for (const [part, method, ...values] of calls) {
    try {
      answers.push({ answer: await cielo[part][method](...values) })
    } catch ({ statusCode, response, message }) {
      answers.push({ error: { statusCode, code: response?.Code, message } })
    }
  }
  process.send(answers)
})
