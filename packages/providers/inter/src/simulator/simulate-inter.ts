import {
  type RunningSimulator,
  type SimulatorOptions,
  bankAnswers,
  taxIdOf,
} from '@cofre/provider-kit/simulator'
import { z } from 'zod'
import { startInter } from './start-inter.js'

const settingsSchema = z.object({
  profile: z.string(),
  accountNumber: z.string(),
  receiver: z.object({ name: z.string(), city: z.string() }),
})

export async function simulateInter(options: SimulatorOptions): Promise<RunningSimulator> {
  const inter = await startInter(options)
  return {
    ...inter,
    origin: `https://127.0.0.1:${inter.apiPort}`,
    async openAccount({ id, settings }) {
      const { accountNumber, profile, receiver } = settingsSchema.parse(settings)
      // A random PIX key, as banks generate them.
      const account = { label: id, taxId: taxIdOf(id), number: accountNumber, pixKeys: [id] }
      const opened = await inter.openAccount({ ...account, ...receiver })
      return { profile, answers: { accountNumber, ...bankAnswers(receiver, opened) } }
    },
  }
}
