// Makes the calls of each message, `[name, ...arguments]` each, with Efí's own SDK, with the given
// options; sends the answers back.
import process from 'node:process'
import EfiPay from 'sdk-node-apis-efi'

process.on('message', async ({ options, calls }) => {
  const efi = new EfiPay(options)
  const answers = []
  for (const [name, ...values] of calls) {
    try {
      answers.push({ answer: await efi[name](...values) })
    } catch (error) {
      answers.push({ error })
    }
  }
  process.send(answers)
})
