import { expect, test } from 'vitest'
import { type ToldAlert, webhookBody, webhookHeaders } from './webhook-message.ts'

const ALERT: ToldAlert = {
  id: '00000000-0000-7000-8000-000000000001',
  cve_id: 'CVE-2026-10001',
  priority: 'P0',
  score: 91,
  title: 'A title',
  created_at: new Date('2026-11-21T08:30:00.000Z'),
}
/** Source: the example of the Standard Webhooks libraries: this id, moment, body and secret give this signature. */
const KNOWN = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('the body says what and where', () => {
  expect(JSON.parse(webhookBody(ALERT, 'https://svc.example.org/'))).toEqual({
    type: 'alert.created',
    timestamp: '2026-11-21T08:30:00.000Z',
    data: {
      id: ALERT.id,
      cve_id: 'CVE-2026-10001',
      priority: 'P0',
      score: 91,
      title: 'A title',
      url: 'https://svc.example.org/cves/CVE-2026-10001',
    },
  })
})

test('the link is null when nobody has said where the service is', () => {
  expect(JSON.parse(webhookBody(ALERT, undefined))).toMatchObject({ data: { url: null } })
})

test('the signature is that of the published example', () => {
  expect(webhookHeaders(KNOWN, KNOWN.at, KNOWN.secret)).toEqual({
    'content-type': 'application/json',
    'webhook-id': KNOWN.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': KNOWN.signature,
  })
})

test('the same key as plain bytes signs alike', () => {
  const plain = { ...KNOWN, secret: 'plain text' }
  const encoded = `whsec_${Buffer.from(plain.secret).toString('base64')}`
  expect(webhookHeaders(KNOWN, KNOWN.at, plain.secret)).toEqual(webhookHeaders(KNOWN, KNOWN.at, encoded))
})

test('another body has another signature', () => {
  expect(webhookHeaders({ ...KNOWN, body: '{"test": 2432232315}' }, KNOWN.at, KNOWN.secret)['webhook-signature']).not.toBe(KNOWN.signature)
})

test('without a secret there is no signature', () => {
  expect(webhookHeaders(KNOWN, KNOWN.at, undefined)).not.toHaveProperty('webhook-signature')
})
