import type { RunningSimulator, SimulatorOptions } from '@cofre/provider-kit/simulator'
import { z } from 'zod'
import { startAdyen } from './start-adyen.js'

const settingsSchema = z.object({ merchantAccount: z.string(), returnUrl: z.string() })

export async function simulateAdyen(options: SimulatorOptions): Promise<RunningSimulator> {
  const adyen = await startAdyen(options)
  return {
    ...adyen,
    origin: `https://127.0.0.1:${adyen.apiPort}`,
    async openAccount({ settings, noticeUrl }) {
      const { merchantAccount, returnUrl } = settingsSchema.parse(settings)
      const keys = await adyen.openAccount({ merchantAccount, noticeUrl })
      return { profile: 'checkout', answers: { merchantAccount, returnUrl, ...keys } }
    },
  }
}
