import { type Config, servesPasskeys } from '../config/config.js'
import { checkMailServer } from '../installation/mail-server.js'
import { type Finding, about, messageOf } from './finding.js'

const ADVICE = 'set COFRE_PUBLIC_PANEL_URL to an https origin with a host name'

/** Reports the console's environments, and whether passkeys work there. */
export function* checkConsole(config: Config): Iterable<Finding> {
  const { ok, warning } = about('console')
  const { publicUrl } = config.endpoints.panel
  const { lacksPanelUrl, panelEnvironments } = config
  const reason = 'browsers allow no passkeys on an IP address, or by http on another machine'
  if (lacksPanelUrl)
    yield warning(`production is off, because its address is ${publicUrl}: ${reason}`, ADVICE)
  else if (!panelEnvironments.includes('production'))
    yield ok('production is off: COFRE_PANEL_ENVIRONMENTS does not include it')
  else yield ok(`shows ${panelEnvironments.join(' and ')}`)
  if (servesPasskeys(publicUrl)) yield about('passkeys').ok(`belong to ${publicUrl}`)
  else yield about('passkeys').warning(`there are none at ${publicUrl}: ${reason}`, ADVICE)
}

/** Checks the mail server. Sends no letter. */
export async function checkLetters({ smtp }: Config): Promise<Finding> {
  const { ok, problem } = about('letters')
  if (smtp === undefined)
    return ok(
      'no e-mail is sent, because COFRE_SMTP_URL is not set: give people their links yourself',
    )
  const { host } = new URL(smtp.url.reveal())
  try {
    await checkMailServer(smtp)
    return ok(`${host} answers and accepts Cofre's login; no e-mail was sent`)
  } catch (error) {
    return problem(
      `${host} accepts no e-mail: ${messageOf(error)}`,
      'check COFRE_SMTP_URL, its user and password, and that this machine can connect to it',
    )
  }
}
