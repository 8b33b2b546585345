// Makes the calls that stand in the second argument, `[api, method, ...arguments]` each, with
// Adyen's own library, whose key and base stand in the first; prints the answers.
import process from 'node:process'
import library from '@adyen/api-library'

const [{ apiKey, base }, calls] = process.argv.slice(2).map((text) => JSON.parse(text))
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
console.log(JSON.stringify(answers))
