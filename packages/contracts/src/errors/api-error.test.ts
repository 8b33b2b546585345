import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.js'

describe('ApiError', () => {
  it('answers a name alone as its code and key', () => {
    const error = new ApiError('header_authorization_missing')
    expect(error.toBody()).toEqual({
      errors: [{ code: 10001, description: 'header_authorization_missing' }],
    })
    expect(error.status).toBe(401)
  })

  it('answers all failures in their order, with the status of the first', () => {
    const error = new ApiError([
      { name: 'payment_exceed_limits' },
      { name: 'header_accept_missing' },
      { name: 'payer_name_missing', property: 'payer.name', constraint: 'required' },
    ])
    expect(error.status).toBe(422)
    expect(error.toBody()).toEqual({
      errors: [
        { code: 210602, description: 'payment_exceed_limits' },
        { code: 10201, description: 'header_accept_missing' },
        {
          code: 210303,
          description: 'payer_name_missing',
          property: 'payer.name',
          constraint: 'required',
        },
      ],
    })
  })

  it.each([
    [undefined, 'cart_0_quantity_invalid'],
    [0, 'cart_0_quantity_invalid'],
    [3, 'cart_3_quantity_invalid'],
    [12, 'cart_12_quantity_invalid'],
  ])('writes the index %s of an element into %s', (index, description) => {
    const { errors } = new ApiError([{ name: 'cart_#_quantity_invalid', index }]).toBody()
    expect(errors).toEqual([{ code: 210508, description }])
  })

  it('answers an alias with the key of its code', () => {
    expect(new ApiError('transaction_reference_used').toBody()).toEqual({
      errors: [{ code: 210104, description: 'transaction_reference_invalid' }],
    })
    expect(new ApiError('transaction_reference_used').status).toBe(409)
    expect(new ApiError('refund_internal_server_error').toBody()).toEqual({
      errors: [{ code: 20601, description: 'internal_server_error' }],
    })
  })

  it('carries the bound of a broken minimum, zero included', () => {
    const failure = { name: 'refund_invalid', property: 'amount', constraint: 'minimum' } as const
    expect(new ApiError([{ ...failure, minimum: 0.01 }]).toBody().errors).toEqual([
      {
        code: 20698,
        description: 'refund_invalid',
        property: 'amount',
        constraint: 'minimum',
        minimum: 0.01,
      },
    ])
    expect(new ApiError([{ ...failure, minimum: 0 }]).toBody().errors[0]?.minimum).toBe(0)
  })

  it('keeps its cause off the wire', () => {
    const cause = new Error('4111111111111111')
    const error = new ApiError('internal_server_error', { cause })
    expect(error.cause).toBe(cause)
    expect(JSON.stringify(error.toBody())).toBe(
      '{"errors":[{"code":30101,"description":"internal_server_error"}]}',
    )
  })

  it('is an Error whose message names its failures', () => {
    const error = new ApiError([{ name: 'cart_missing' }, { name: 'payer_invalid' }])
    expect(error).toBeInstanceOf(Error)
    expect([error.name, error.message]).toEqual(['ApiError', 'cart_missing, payer_invalid'])
  })
})
