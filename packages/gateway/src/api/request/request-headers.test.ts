import { describe, expect, it } from 'vitest'
import { acceptFailure, acceptLanguageFailure, contentTypeFailure } from './signed-request.js'

const accepted = { vendor: 'cofre', version: 'v2' } as const

describe('acceptFailure', () => {
  it.each([
    'application/vnd.cofre.v2+json; charset=UTF-8',
    'application/vnd.cofre.v2+json;charset=utf-8',
    'application/vnd.cofre.v2+json ;q=0.9 ; charset="UTF-8"',
    'text/html, application/vnd.cofre.v2+json; charset=UTF-8',
  ])('takes %s', (header) => {
    expect(acceptFailure(header, accepted)).toBeUndefined()
  })

  it.each([
    [undefined, 'header_accept_missing'],
    ['', 'header_accept_missing'],
    ['vnd.cofre.v2+json; charset=UTF-8', 'header_accept_application_missing'],
    ['/vnd.cofre.v2+json; charset=UTF-8', 'header_accept_application_missing'],
    ['application/vnd/cofre+json', 'header_accept_bad_format'],
    ['application vnd.cofre.v2+json', 'header_accept_bad_format'],
    ['application/vnd.cofre.v2; charset=UTF-8', 'header_accept_format_missing'],
    ['application/vnd.cofre.v2+; charset=UTF-8', 'header_accept_format_missing'],
    ['application/vnd.cofre.v2+json', 'header_accept_charset_missing'],
    ['application/vnd.cofre.v2+json; charset=', 'header_accept_charset_missing'],
    ['*/*', 'header_accept_application_invalid'],
    ['application/json; charset=UTF-8', 'header_accept_application_invalid'],
    ['application/vnd.cofrezinho.v2+json; charset=UTF-8', 'header_accept_application_invalid'],
    ['application/vnd.cofre.v2+xml; charset=UTF-8', 'header_accept_format_invalid'],
    ['application/vnd.cofre.v2+json; charset=ISO-8859-1', 'header_accept_charset_invalid'],
    ['application/vnd.cofre.v9+json; charset=UTF-8', 'header_accept_version_invalid'],
    ['application/vnd.cofre+json; charset=UTF-8', 'header_accept_version_invalid'],
  ])('refuses %s as %s', (header, failure) => {
    expect(acceptFailure(header, accepted)).toBe(failure)
  })

  it('knows a vendor with a dot', () => {
    const header = 'application/vnd.acme.com.v1+json; charset=UTF-8'
    expect(acceptFailure(header, { vendor: 'acme.com', version: 'v1' })).toBeUndefined()
    expect(acceptFailure(header, { vendor: 'acme', version: 'v1' })).toBe(
      'header_accept_version_invalid',
    )
  })
})

describe('contentTypeFailure', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8'])('takes %s', (header) => {
    expect(contentTypeFailure(header)).toBeUndefined()
  })

  it.each([
    [undefined, 'header_contenttype_missing'],
    ['', 'header_contenttype_missing'],
    ['text/plain', 'header_contenttype_not_accepted'],
    ['application/json; charset=latin1', 'header_contenttype_not_accepted'],
    ['application/x-www-form-urlencoded', 'header_contenttype_not_accepted'],
  ])('refuses %s as %s', (header, failure) => {
    expect(contentTypeFailure(header)).toBe(failure)
  })
})

describe('acceptLanguageFailure', () => {
  it.each([undefined, '', '*', 'en-US', 'pt-BR,pt;q=0.9', 'de, tr-TR', 'pt'])(
    'takes %s',
    (header) => {
      expect(acceptLanguageFailure(header)).toBeUndefined()
    },
  )

  it.each(['de-DE', 'xx', 'english', 'en-GB'])('refuses %s', (header) => {
    expect(acceptLanguageFailure(header)).toBe('header_language_not_accepted')
  })
})
