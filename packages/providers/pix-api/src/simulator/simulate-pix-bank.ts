import {
  type RunningSimulator,
  type SimulatorOptions,
  bankAnswers,
  taxIdOf,
} from '@cofre/provider-kit/simulator'
import { z } from 'zod'
import { startPixBank } from './start-pix-bank.js'

const settingsSchema = z.object({
  profile: z.string(),
  pixKey: z.string(),
  receiver: z.object({ name: z.string(), city: z.string() }),
})

export async function simulatePixBank(options: SimulatorOptions): Promise<RunningSimulator> {
  const bank = await startPixBank({ ...options, webhookHandshake: 'efi' })
  return {
    ...bank,
    origin: `https://127.0.0.1:${bank.apiPort}`,
    async openAccount({ id, settings }) {
      const { pixKey, profile, receiver } = settingsSchema.parse(settings)
      const account = { label: id, taxId: taxIdOf(id), pixKeys: [pixKey], ...receiver }
      const answers = { pixKey, ...bankAnswers(receiver, await bank.openAccount(account)) }
      return { profile, answers }
    },
  }
}
