// Makes the calls that stand in the second argument, `[name, ...arguments]` each, with Efí's own
// SDK, whose options stand in the first; prints the answers.
import process from 'node:process'
import EfiPay from 'sdk-node-apis-efi'

const [options, calls] = process.argv.slice(2).map((text) => JSON.parse(text))
const efi = new EfiPay(options)
const answers = []
for (const [name, ...values] of calls) {
  try {
    answers.push({ answer: await efi[name](...values) })
  } catch (error) {
    answers.push({ error })
  }
}
console.log(JSON.stringify(answers))
