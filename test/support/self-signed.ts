import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A certificate with its key, PEM. */
export type TestCertificate = { cert: string; key: string }

const MS_PER_DAY = 86_400_000
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const IPV4_LOOPBACK = Buffer.from([127, 0, 0, 1])

/** A new self-signed certificate for the names and 127.0.0.1. @param validDays negative for one that has run out */
export function selfSigned(names: readonly string[], validDays = 30): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, ECDSA_WITH_SHA256)
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from('test')))))
  const alternatives = der(0x30, ...names.map((text) => der(0x82, Buffer.from(text))), der(0x87, IPV4_LOOPBACK))
  const from = Date.now() - 60 * MS_PER_DAY
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, utcTime(from), utcTime(Date.now() + validDays * MS_PER_DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, SUBJECT_ALT_NAME, der(0x04, alternatives)))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = der(0x30, body, algorithm, signature).toString('base64')
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

/** One tag-length-value of the distinguished encoding. Source: X.690, 8.1. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function utcTime(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}
