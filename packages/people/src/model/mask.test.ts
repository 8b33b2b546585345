import { describe, expect, it } from 'vitest'
import { maskPayersInJson, maskPayersInTarget, maskPayersInText } from './mask-text.js'
import { maskDocument, maskEmail, maskName } from './mask.js'

describe('masks', () => {
  it.each([
    ['Maria de Souza', 'M**** d* S****'],
    ['Érica José'.normalize('NFD'), 'Érica'.normalize('NFD').slice(0, 2) + '**** J***'],
    ['José', 'J***'],
    ['É', 'É'],
    ['Ana  Lima', 'A**  L***'],
    ['𝒜na', '𝒜**'],
    ['', ''],
  ])('show of the name %j the first letters', (name, masked) => {
    expect(maskName(name)).toBe(masked)
  })

  it.each([
    ['52998224725', '***.***.***-25'],
    ['529.982.247-25', '***.***.***-25'],
    ['11222333000181', '**.***.***/****-81'],
    ['12ABC34501DE35', '**.***.***/****-35'],
    ['12.abc.345/01de-35', '**.***.***/****-35'],
    ['1234', '****'],
    ['', ''],
  ])('show of the document %j two digits', (document, masked) => {
    expect(maskDocument(document)).toBe(masked)
  })

  it.each([
    ['maria@example.com', 'm****@e******.com'],
    ['maria.souza@mail.example.com.br', 'm**********@m***************.br'],
    ['m@localhost', 'm@l********'],
    ['maria＠example.com', 'm****＠e******.com'],
    ['"maria souza"@example.com', '"************@e******.com'],
    ['"maria@home"@example.com', '"***********@e******.com'],
    ['no e-mail', '*********'],
    ['', ''],
  ])('show of the e-mail %j its beginnings', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })

  it('leave nothing of a payer in the body of a request', () => {
    const body = {
      reference: 'order-1',
      amount: 42.5,
      payer: {
        name: 'Maria de Souza',
        email: 'maria@example.com',
        document: { type: 'CPF', number: '52998224725' },
        'birth-date': '1990-01-01',
        phone: 11999999999,
      },
      note: 'call maria@example.com, CPF 529.982.247-25',
    }
    const masked = maskPayersInJson(JSON.stringify(body))
    for (const part of ['Maria', 'maria', '529', '982', '1990', '99999'])
      expect(masked).not.toContain(part)
    expect(JSON.parse(masked)).toMatchObject({ reference: 'order-1', amount: 42.5 })
    expect(maskPayersInText('/x?email=maria@example.com')).toBe('/x?email=m****@e******.com')
    expect(maskPayersInText('code 202611211234567')).toBe('code 202611211234567')
    expect(maskPayersInJson('no json: 52998224725')).toBe('no json: ***.***.***-25')
  })

  it.each([
    ['to maria＠example.com', 'to m****＠e******.com'],
    ['to maria﹫example.com', 'to m****﹫e******.com'],
    ['to "maria souza"@example.com', 'to "************@e******.com'],
    ['to "maria \\"x\\" souza"@example.com', 'to "******************@e******.com'],
    ['<"maria@home"@example.com>', '<"***********@e******.com>'],
    ['a="b" c="maria@example.com"', 'a="b" c="m****@e******.com"'],
  ])('hide the e-mail of %j', (text, masked) => {
    expect(maskPayersInText(text)).toBe(masked)
  })

  it.each([
    ['cpf_52998224725', 'cpf_***.***.***-25'],
    ['CPF52998224725.', 'CPF***.***.***-25.'],
    ['529 982 247 25', '***.***.***-25'],
    ['id-11222333000181', 'id-**.***.***/****-81'],
    ['cpf 52998224726', 'cpf 52998224726'],
  ])('hide the document of %j', (text, masked) => {
    expect(maskPayersInText(text)).toBe(masked)
  })

  it.each([
    ['/x?email=maria%40example.com', '/x?email=m****@e******.com'],
    ['/x?cpf=529%2E982.247-25', '/x?cpf=***.***.***-25'],
    ['/x?reference=order%2D1', '/x?reference=order%2D1'],
  ])('hide payers behind the percent-encoding of %j', (target, masked) => {
    expect(maskPayersInTarget(target)).toBe(masked)
  })

  it('hide documents that are numbers, and payers that are names of fields', () => {
    const text = JSON.stringify({
      cpf: 52998224725,
      'maria@example.com': { document: 52998224725 },
    })
    expect(JSON.parse(maskPayersInJson(text))).toEqual({
      cpf: '***********',
      'm****@e******.com': { document: '***********' },
    })
  })
})
