import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { userInfo } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  NOTICES,
  createInstallation,
  createMadeUpBank,
  openInstallation,
} from './account.fixture.js'
import { UsageError } from '../line/command.js'
import { needs } from '../../../../../test/needs.js'

const TOKEN = 'token of the bank'
const ADD = 'account add --store loja --provider made-up --profile north'
const ANSWERS = JSON.stringify({ pixKey: 'loja@example.com', token: TOKEN })
const PUBLIC = { COFRE_PUBLIC_NOTICES_URL: NOTICES }

async function installed(environ = {}, make = createInstallation) {
  const bank = createMadeUpBank()
  const installation = make({ banks: [bank.provider] }, environ)
  const { cofre } = installation
  await cofre('store create loja')
  const add = async (options = ''): Promise<Added> =>
    (await cofre(`${ADD} --from - --json${options}`, { input: ANSWERS })).json() as Added
  const list = async () => (await cofre('account list --json')).json() as Listed[]
  return { ...installation, ...bank, add, list }
}

/** One for all tests of a suite that change nothing, with its store in both environments. */
function sharedInstallation() {
  let shared: Awaited<ReturnType<typeof installed>> | undefined
  beforeAll(async () => {
    shared = await installed({}, openInstallation)
    await shared.cofre('store create loja --sandbox')
    return shared.remove
  })
  return () => {
    if (shared === undefined) throw new Error('no test runs yet')
    return shared
  }
}

interface Added {
  readonly id: string
  readonly noticeAddress: string | null
}

interface Listed extends Record<string, unknown> {
  readonly id: string
}

describe('cofre account add', () => {
  it('asks for what is missing, signs in, and stores nothing in the clear', async () => {
    const { cofre, asked, calls, dataDir, list, state, write } = await installed(PUBLIC)
    const letter = write('letter.txt', 'bytes')
    const { output } = await cofre(ADD, { answers: ['loja@example.com', TOKEN, letter] })
    const [account] = await list()
    expect(account).toEqual({
      id: expect.stringMatching(/^north-[0-9a-f]{8}$/) as string,
      store: 'loja',
      provider: 'made-up',
      profile: 'north',
      label: 'Banco do Norte',
      kind: 'live',
      enabled: true,
      disabledAt: null,
      order: { pix: 1 },
      certificateUntil: '2027-01-31T00:00:00.000Z',
      lastTest: null,
      foreignNotices: [],
    })
    const id = account?.id ?? ''
    expect(asked).toEqual([
      'PIX key: ',
      'Token: ',
      'Letter, path of the file (may be left empty): ',
    ])
    expect(calls).toEqual(['Sign in', 'close'])
    expect(state.accounts[0]?.secrets.credentials.reveal()).toContain(TOKEN)
    expect(output).toContain(`The account ${id} of loja is added in production: Banco do Norte`)
    expect(output).toContain('New charges by pix go to it.')
    expect(output).toContain('Not yet confirmed with Banco do Norte: its host. Ask them.')
    expect(output).toContain('Its certificate expires on 2027-01-31.')
    const [address = ''] = /https:\S+/.exec(output) ?? []
    expect(address).toMatch(new RegExp(`^${NOTICES}/notices/${id}/[A-Za-z0-9_-]{22}$`))
    const files = readdirSync(dataDir).map((file) => readFileSync(path.join(dataDir, file)))
    for (const secret of [TOKEN, address.split('/').at(-1) ?? TOKEN])
      expect(Buffer.concat(files).includes(secret)).toBe(false)
  })

  it('takes answers from a file that others cannot read, with files beside it', async () => {
    const { cofre, state, write } = await installed()
    write('letter.txt', 'bytes')
    const file = write(
      'answers.json',
      JSON.stringify({ pixKey: 'k', token: TOKEN, letter: 'letter.txt' }),
    )
    const { output } = await cofre([...ADD.split(' '), '--from', file, '--label', 'Main account'])
    expect(output).toContain('Main account, live.')
    expect(output).toContain('There is no address for the bank')
    expect(state.accounts).toHaveLength(1)
  })

  const BROKEN: readonly [what: string, line: string, input: string, message: string][] = [
    [
      'an unknown store',
      ADD.replace('loja', 'nobody'),
      ANSWERS,
      'There is no store nobody in production',
    ],
    [
      'an unknown provider',
      ADD.replace('made-up', 'x'),
      ANSWERS,
      'there is no provider x, but made-up',
    ],
    [
      'an unknown profile',
      ADD.replace('north', 'x'),
      ANSWERS,
      'made-up has no profile x, but north, south',
    ],
    [
      'an unknown kind',
      `${ADD} --kind simulator`,
      ANSWERS,
      "argument 'simulator' is invalid. Allowed choices are live, test",
    ],
    ['test money in production', `${ADD} --kind test`, ANSWERS, 'add --sandbox'],
    ['real money in the sandbox', `${ADD} --kind live --sandbox`, ANSWERS, 'omit --sandbox'],
    [
      'a bank without a test system',
      `${ADD.replace('north', 'south')} --sandbox`,
      ANSWERS,
      'no account of kind test is known at Banco do Sul, but live',
    ],
    [
      'no answers',
      ADD,
      '{}',
      'answers are missing, and nothing was stored: pixKey (PIX key), token (Token)',
    ],
    ['an empty answer', ADD, '{"pixKey":"k","token":""}', 'token (Token)'],
    [
      'a stranger among the answers',
      ADD,
      '{"pixKey":"k","tokn":"x"}',
      'tokn is refused, and nothing was stored: there is no such question; there are pixKey, token, letter',
    ],
    [
      'an answer that the bank refuses',
      ADD,
      '{"pixKey":"k","token":"short"}',
      'token is refused, and nothing was stored: The token has at least 8 letters.',
    ],
    [
      'no JSON',
      ADD,
      `{"token": ${TOKEN}`,
      'the standard input is not usable, and nothing was stored',
    ],
    ['JSON of another kind', ADD, '{"token": 12345678}', 'it must contain a JSON object of texts'],
    [
      'a file that is not there',
      ADD,
      '{"pixKey":"k","token":"x","letter":"gone"}',
      'gone: it cannot be read (ENOENT)',
    ],
    ['--replace alone', `${ADD} --replace`, ANSWERS, '--replace needs --register'],
    ['--register without an address', `${ADD} --register`, ANSWERS, 'set COFRE_PUBLIC_NOTICES_URL'],
  ]

  const ofAll = sharedInstallation()
  it.each(BROKEN)('stores nothing of %s, and names it', async (_, line, input, message) => {
    const { calls, cofre, list } = ofAll()
    const adding = cofre(`${line} --from -`, { input })
    await expect(adding).rejects.toThrow(message)
    await expect(adding).rejects.not.toThrow(TOKEN)
    expect(await list()).toEqual([])
    expect((await cofre('account list --sandbox --json')).json()).toEqual([])
    expect(calls).toEqual([])
  })

  it.each([
    ['answers.json', 0o644],
    ['letter.txt', 0o644],
    ['answers.json', 0o640],
    ['letter.txt', 0o640],
  ])(
    'refuses files that others, or their group, may read: %s, %o',
    needs('a system with file modes'),
    async (open, mode) => {
      const { cofre, list, write } = await installed()
      const answers = { pixKey: 'k', token: TOKEN, letter: 'letter.txt' }
      const modeOf = (name: string) => (name === open ? mode : 0o600)
      const file = write('answers.json', JSON.stringify(answers), modeOf('answers.json'))
      write('letter.txt', 'bytes', modeOf('letter.txt'))
      await expect(cofre(`${ADD} --from ${file}`)).rejects.toThrow('others may read or change it')
      expect(await list()).toEqual([])
    },
  )

  it('needs a terminal to ask for answers', async () => {
    const { cofre } = await installed()
    await expect(cofre(ADD)).rejects.toThrow(UsageError)
    await expect(cofre(ADD)).rejects.toThrow('give --from FILE, or --from -')
  })

  it('stores no refused credentials, except with --no-check', async () => {
    const { add, cofre, list, state } = await installed()
    state.refusal = 'The bank refused the client. Check the client id.'
    await expect(cofre(`${ADD} --from -`, { input: ANSWERS })).rejects.toThrow(
      'nothing was stored, because the check failed: The bank refused the client.',
    )
    expect(await list()).toEqual([])
    await add(' --no-check')
    expect(await list()).toHaveLength(1)
  })

  it('warns of another account with the same PIX key', async () => {
    const { add, cofre } = await installed()
    const { id } = await add()
    await cofre('store create outra')
    const { output } = await cofre(`${ADD.replace('loja', 'outra')} --from -`, { input: ANSWERS })
    expect(output).toContain(`Its PIX key is that of ${id} of loja, too.`)
  })

  it('registers its address, and never in the place of another without --replace', async () => {
    const { cofre, state } = await installed(PUBLIC)
    const line = `${ADD} --from - --register --json`
    state.registration = { kind: 'occupied', origin: 'https://erp.example' }
    const kept = await cofre(line.replace(' --json', ''), { input: ANSWERS })
    expect(kept.failed).toBe(true)
    expect(kept.output).toContain('another system, at https://erp.example')
    state.registration = { kind: 'occupied', origin: NOTICES }
    expect((await cofre(line.replace(' --json', ''), { input: ANSWERS })).output).toContain(
      'another address of this Cofre',
    )
    state.registration = { kind: 'failed', detail: 'the bank is away' }
    expect((await cofre(line.replace(' --json', ''), { input: ANSWERS })).output).toContain(
      'NOT registered: the bank is away',
    )
    state.registration = { kind: 'done' }
    const done = await cofre(`${line} --replace --bank-certificate checked`, { input: ANSWERS })
    expect(done.failed).toBe(false)
    expect(done.json()).toMatchObject({ registered: true })
    expect(
      state.registered.map(({ others, bankCertificate }) => [others, bankCertificate]),
    ).toEqual([
      ['keep', 'unchecked'],
      ['keep', 'unchecked'],
      ['keep', 'unchecked'],
      ['replace', 'checked'],
    ])
  })
})

describe('cofre account', () => {
  it('orders, disables and enables, and records it in the log of the store', async () => {
    const { add, cofre, list } = await installed()
    const [one, two] = [(await add()).id, (await add()).id]
    expect((await cofre(`account order --store loja --method pix ${two}`)).output).toBe(
      `New charges of loja by pix go to the first of these that is enabled: ${two}, ${one}.\n`,
    )
    await cofre(`account disable ${two}`)
    expect(await list()).toMatchObject([
      { id: one, enabled: true, order: { pix: 2 } },
      { id: two, enabled: false, order: { pix: 1 } },
    ])
    expect((await cofre('account list')).output).toMatch(
      new RegExp(
        `\n${two} +loja +DISABLED +live +north +pix 1 +2027-01-31 +never +Banco do Norte\n`,
      ),
    )
    await cofre(`account enable ${two}`)
    const { output } = await cofre('store log loja')
    const by = `by operator:${userInfo().username}`
    expect(
      output
        .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME')
        .split('\n')
        .slice(0, 5),
    ).toEqual([
      `TIME  loja  account-enabled ${by}: account "${two}"`,
      `TIME  loja  account-disabled ${by}: account "${two}"`,
      `TIME  loja  accounts-ordered ${by}: pix "${one}, ${two}" -> "${two}, ${one}"`,
      `TIME  loja  account-added ${by}: account "${two}", provider "made-up", kind "live", label "Banco do Norte", methods "pix"`,
      `TIME  loja  account-added ${by}: account "${one}", provider "made-up", kind "live", label "Banco do Norte", methods "pix"`,
    ])
  })

  it('renames an account, and the log has its previous name', async () => {
    const { cofre, add, list } = await installed()
    const { id } = await add()
    await cofre(['account', 'set', id, '--label', 'Main bank'])
    expect(await list()).toMatchObject([{ id, label: 'Main bank' }])
    expect((await cofre('store log loja')).output).toContain(
      `account "${id}", label "Banco do Norte" -> "Main bank"`,
    )
  })

  const ofAll = sharedInstallation()
  it.each([
    ['account test nobody --yes', 'There is no account nobody in production'],
    ['account rotate nobody --from -', 'There is no account nobody in production'],
    ['account notices nobody', 'There is no account nobody in production'],
    ['account disable nobody', 'There is no account nobody in production'],
    ['account enable nobody --sandbox', 'There is no account nobody in sandbox'],
    ['account set nobody --label Bank', 'There is no account nobody in production'],
    ['account list --store nobody', 'There is no store nobody'],
    ['account order --store loja --method pix nobody', 'accounts of loja for pix (there is none)'],
    ['account order --store nobody --method pix x', 'There is no store nobody'],
    ['account order --store loja --method cheque x', 'Allowed choices are pix'],
  ])('%s is refused', async (line, message) => {
    await expect(ofAll().cofre(line)).rejects.toThrow(message)
  })

  it('shows the address for notices, and registers it later', async () => {
    const { add, cofre, state } = await installed(PUBLIC)
    const { id, noticeAddress } = await add()
    const { output } = await cofre(`account notices ${id}`)
    expect(output).toContain(`\n  ${noticeAddress ?? ''}\n`)
    await cofre(`account notices ${id} --register`)
    expect(state.registered.map(({ url }) => url)).toEqual([noticeAddress])
    expect((await cofre('account list --json')).output).not.toContain('notices/')
  })

  it('replaces a leaked notice address without questions', async () => {
    const { add, asked, cofre, state } = await installed(PUBLIC)
    const { id, noticeAddress } = await add()
    asked.length = 0
    const { output } = await cofre(`account notices ${id} --new-address --register --replace`, {
      answers: [],
    })
    const [address = ''] = /https:\S+/.exec(output) ?? []
    expect(address).toContain(`/notices/${id}/`)
    expect(address).not.toBe(noticeAddress)
    expect(state.registered).toMatchObject([{ url: address, others: 'replace' }])
    expect(asked).toEqual([])
    expect((await cofre(`account notices ${id}`)).output).toContain(`\n  ${address}\n`)
    await cofre(`account test ${id} --yes`)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(TOKEN)
  })
})

describe('cofre account test', () => {
  it('asks before each step, takes away what it left, and notes how it ended', async () => {
    const { add, calls, cofre, list } = await installed()
    const { id } = await add()
    calls.length = 0
    const { output, warnings } = await cofre(`account test ${id}`, { answers: ['y', 's', 'sim'] })
    expect(output).toBe(`The account ${id} has passed its test.\n`)
    expect(warnings).toContain('2. Open\n   Done: Open: fine.\n')
    expect(calls).toEqual(['Sign in', 'Open', 'Read', 'Remove', 'close'])
    expect(await list()).toMatchObject([
      { lastTest: { at: '2026-11-22T12:00:03.000Z', failure: null } },
    ])
  })

  it('cleans up after a failed step, and names the step', async () => {
    const { add, calls, cofre, list, state } = await installed()
    const { id } = await add()
    calls.length = 0
    Object.assign(state, { refused: 'Read', refusal: 'The bank does not answer. Try later.' })
    const ran = await cofre(`account test ${id} --yes --json`)
    expect(ran.failed).toBe(true)
    const failure = 'Read: The bank does not answer. Try later.'
    expect(ran.json()).toMatchObject({ failure, stopped: false, steps: [{}, {}, {}, {}] })
    expect(calls).toEqual(['Sign in', 'Open', 'Read', 'Remove', 'close'])
    expect(await list()).toMatchObject([{ lastTest: { failure } }])
    expect((await cofre('account list')).output).toContain('2026-11-22T12:00Z FAILED')
  })

  it('cleans up after an exception', async () => {
    const { add, calls, cofre, state } = await installed()
    const { id } = await add()
    calls.length = 0
    state.fault = 'Open'
    const { output } = await cofre(`account test ${id} --yes`)
    expect(output).toContain('has failed its test. Open: It failed: a fault.')
    expect(calls).toEqual(['Sign in', 'Open', 'Remove', 'close'])
  })

  it('stops when the person declines a step', async () => {
    const { add, calls, cofre, list } = await installed()
    const { id } = await add()
    calls.length = 0
    const ran = await cofre(`account test ${id}`, { answers: ['y', ''] })
    expect(ran.output).toContain('was stopped')
    expect(calls).toEqual(['Sign in', 'Remove', 'close'])
    const ended = await cofre(`account test ${id}`, { answers: ['y', 'y', 'Ctrl-C'] })
    expect(ended.failed).toBe(true)
    expect(calls.slice(3)).toEqual(['Sign in', 'Open', 'Remove', 'close'])
    expect(await list()).toMatchObject([{ lastTest: null }])
    await expect(cofre(`account test ${id}`)).rejects.toThrow('--yes runs them all')
  })
})

describe('cofre account rotate', () => {
  const OTHER = 'another token of the bank'

  it('asks for credentials alone, and keeps the account and its address', async () => {
    const { add, asked, cofre, state } = await installed(PUBLIC)
    const { id, noticeAddress } = await add()
    asked.length = 0
    const { output } = await cofre(`account rotate ${id}`, { answers: [OTHER] })
    expect(output).toContain(`The account ${id} now uses the new credentials`)
    expect(output).not.toContain('notices/')
    expect(asked[0]).toBe('Token: ')
    expect((await cofre(`account notices ${id}`)).output).toContain(noticeAddress)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(OTHER)
  })

  it('keeps the credentials before them while the bank refuses the new ones', async () => {
    const { add, cofre, state } = await installed()
    const { id } = await add()
    state.refusal = 'The bank refused the client.'
    const rotating = cofre(`account rotate ${id}`, { answers: [OTHER] })
    await expect(rotating).rejects.toThrow('nothing was stored')
    state.refusal = undefined
    await cofre(`account test ${id} --yes`)
    expect(state.accounts.at(-1)?.secrets.credentials.reveal()).toContain(TOKEN)
  })

  it('makes no other account of it', async () => {
    const { add, cofre } = await installed()
    const { id } = await add()
    const input = JSON.stringify({ pixKey: 'another', token: OTHER })
    await expect(cofre(`account rotate ${id} --from -`, { input })).rejects.toThrow(
      `nothing was stored: only credentials can be changed, and this would change pixKey of ${id}`,
    )
  })
})
