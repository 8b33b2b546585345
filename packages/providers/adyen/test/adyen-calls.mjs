// Makes the calls of each message, `[api, method, ...arguments]` each, with Adyen's own library,
// with the given key and base; sends the answers back.
import process from 'node:process'
import library from '@adyen/api-library'

process.on('message', async ({ options: { apiKey, base }, calls }) => {
  const client = new library.Client({ apiKey, environment: 'TEST' })
  const { PaymentsApi, ModificationsApi } = new library.CheckoutAPI(client)
  const apis = { PaymentsApi, ModificationsApi }
  for (const api of Object.values(apis)) api.baseUrl = base
  const answers = []
  for (const [api, method, ...values] of calls) {
    try {
      answers.push({ answer: await apis[api][method](...values) })
    } catch ({ statusCode, errorCode, message }) {
      answers.push({ error: { statusCode, errorCode, message } })
    }
  }
  process.send(answers)
})
