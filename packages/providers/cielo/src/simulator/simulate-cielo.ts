import type { RunningSimulator, SimulatorOptions } from '@cofre/provider-kit/simulator'
import { z } from 'zod'
import { startCielo } from './start-cielo.js'

const settingsSchema = z.object({
  merchantId: z.string(),
  installmentsMax: z.coerce.number().optional(),
  captureDays: z.coerce.number().optional(),
})

export async function simulateCielo(options: SimulatorOptions): Promise<RunningSimulator> {
  const cielo = await startCielo(options)
  return {
    ...cielo,
    origin: `https://127.0.0.1:${cielo.apiPort}`,
    queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
    async openAccount({ id, settings, noticeUrl }) {
      const known = settingsSchema.parse(settings)
      const { merchantKey } = await cielo.openAccount({ label: id, noticeUrl, ...known })
      const { merchantId, ...contract } = known
      const given = Object.entries(contract).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      )
      const answers = { merchantId, merchantKey, ...Object.fromEntries(given) }
      return { profile: 'e-commerce', answers }
    },
  }
}
