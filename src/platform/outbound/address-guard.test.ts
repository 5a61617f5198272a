import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BadServer, reply, startBadServer } from '#test/support/bad-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { isGlobalAddress } from './address-guard.ts'
import { NO_ALLOWED_HOSTS, parseAllowedHosts } from './allowed-hosts.ts'
import { type Dial, systemDial } from './connection.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

const GOOD_4 = '93.184.215.14'
const GOOD_6 = '2606:4700:4700::1111'
const FLIPS = 1000

const certificate = selfSigned(['feed.example.com'])
let sink: BadServer
beforeAll(async () => {
  sink = await startBadServer(reply(200, 'a\n'), certificate)
})
afterAll(() => sink.close())

/** A dialler that writes down which addresses it was given, and leads every connection to the sink. */
function recorder(): { dialled: string[][]; dial: Dial } {
  const dialled: string[][] = []
  return {
    dialled,
    dial: ({ name, addresses }) => {
      dialled.push([...addresses])
      return systemDial({ name, addresses: ['127.0.0.1'], port: sink.port })
    },
  }
}

// biome-ignore format: one case per line
const ANSWERS: { title: string; answer: string[]; reached: boolean }[] = [
  { title: 'one global IPv4 address',              answer: [GOOD_4],                              reached: true },
  { title: 'one global IPv6 address',              answer: [GOOD_6],                              reached: true },
  { title: 'global addresses of both families',    answer: [GOOD_4, GOOD_6],                      reached: true },
  { title: 'eight global addresses',               answer: ['1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4', '9.9.9.9', GOOD_4, GOOD_6, '2a00:1450:4001::1'], reached: true },
  { title: 'loopback',                             answer: ['127.0.0.1'],                         reached: false },
  { title: 'loopback, IPv6',                       answer: ['::1'],                               reached: false },
  { title: 'this network',                         answer: ['0.0.0.0'],                           reached: false },
  { title: 'unspecified, IPv6',                    answer: ['::'],                                reached: false },
  { title: 'private 10/8',                         answer: ['10.1.2.3'],                          reached: false },
  { title: 'private 172.16/12',                    answer: ['172.20.0.1'],                        reached: false },
  { title: 'private 192.168/16',                   answer: ['192.168.0.1'],                       reached: false },
  { title: 'shared address space',                 answer: ['100.64.0.1'],                        reached: false },
  { title: 'link-local',                           answer: ['169.254.0.5'],                       reached: false },
  { title: 'cloud metadata',                       answer: ['169.254.169.254'],                   reached: false },
  { title: 'cloud metadata, IPv6',                 answer: ['fd00:ec2::254'],                     reached: false },
  { title: 'cloud platform address',               answer: ['168.63.129.16'],                     reached: false },
  { title: 'multicast',                            answer: ['224.0.0.1'],                         reached: false },
  { title: 'multicast, IPv6',                      answer: ['ff02::1'],                           reached: false },
  { title: 'broadcast',                            answer: ['255.255.255.255'],                   reached: false },
  { title: 'documentation',                        answer: ['203.0.113.1'],                       reached: false },
  { title: 'documentation, IPv6',                  answer: ['2001:db8::1'],                       reached: false },
  { title: 'benchmark',                            answer: ['198.18.0.1'],                        reached: false },
  { title: 'unique local',                         answer: ['fd12::1'],                           reached: false },
  { title: 'link-local with a zone',               answer: ['fe80::1%eth0'],                      reached: false },
  { title: 'global address with a zone',           answer: [`${GOOD_6}%eth0`],                    reached: false },
  { title: 'mapped loopback',                      answer: ['::ffff:127.0.0.1'],                  reached: false },
  { title: 'mapped global address',                answer: [`::ffff:${GOOD_4}`],                  reached: false },
  { title: '6to4 around loopback',                 answer: ['2002:7f00:1::1'],                    reached: false },
  { title: 'NAT64 around a private address',       answer: ['64:ff9b::a00:1'],                    reached: false },
  { title: 'Teredo',                               answer: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'], reached: false },
  { title: 'a bad answer after a good one',        answer: [GOOD_4, '127.0.0.1'],                 reached: false },
  { title: 'a bad answer before a good one',       answer: ['10.0.0.1', GOOD_4],                  reached: false },
  { title: 'one bad answer among many',            answer: ['1.1.1.1', GOOD_6, '8.8.8.8', '::1', '9.9.9.9'], reached: false },
]

test('33 kinds of answers are tried', () => expect(ANSWERS).toHaveLength(33))

test.each(ANSWERS)('a name that resolves to $title', async ({ answer, reached }) => {
  const { dialled, dial } = recorder()
  const { outbound } = openTrial({ allowHosts: NO_ALLOWED_HOSTS, ca: certificate.cert, dial, resolve: async () => answer })
  const downloading = outbound.download(get('https://feed.example.com/list'))
  if (reached) {
    expect(await bodyText(downloading)).toBe('a\n')
    expect(dialled).toEqual([answer])
  } else {
    expect(await refusal(downloading)).toMatchObject({ code: 'address_forbidden', attempts: 1 })
    expect(dialled).toEqual([])
  }
})

test('a name server that changes its mind 1000 times never leads to an address that was not checked', async () => {
  const { dialled, dial } = recorder()
  const bad = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1']
  let asked = 0
  // Good, bad, good: every second answer is internal, whatever the first check saw.
  const resolve = async () => {
    asked += 1
    return asked % 2 === 1 ? [GOOD_4] : [bad[asked % bad.length] ?? '::1', GOOD_4]
  }
  const { outbound } = openTrial({ allowHosts: NO_ALLOWED_HOSTS, ca: certificate.cert, dial, resolve })
  const connectionsBefore = sink.connections
  let refused = 0
  for (let flip = 0; flip < FLIPS; flip += 1) {
    try {
      await bodyText(outbound.download(get('https://feed.example.com/list')))
    } catch (error) {
      expect(error).toMatchObject({ code: 'address_forbidden' })
      refused += 1
    }
  }
  expect(asked).toBe(FLIPS)
  expect(refused).toBe(FLIPS / 2)
  expect(dialled).toEqual(new Array(FLIPS / 2).fill([GOOD_4]))
  expect(sink.connections - connectionsBefore).toBe(FLIPS / 2)
}, 60_000)

test('the system dialler goes to the given address and leaves the name in Host', async () => {
  const plain = await startBadServer(reply(200, 'x'))
  const host = `pinned.example.com:${plain.port}`
  const { outbound } = openTrial({ allowHosts: parseAllowedHosts(host), resolve: async () => ['127.0.0.1'] })
  expect(await bodyText(outbound.download(get(`http://${host}/list`)))).toBe('x')
  expect(plain.requests.map(({ headers, peer }) => [headers['host'], peer])).toEqual([[host, '127.0.0.1']])
  await plain.close()
})

test('proxy settings of the environment change nothing', async () => {
  const proxy = await startBadServer(reply(200, 'from the proxy'))
  const plain = await startBadServer(reply(200, 'direct'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.origin)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect(await bodyText(openTrial().outbound.download(get(plain.origin)))).toBe('direct')
  vi.unstubAllEnvs()
  expect(proxy.connections).toBe(0)
  await Promise.all([proxy.close(), plain.close()])
})

test.each(['', 'example.com', '127.1', '1.2.3', '08.8.8.8', '1.2.3.4 ', '[::1]', '2606:4700::1111]'])(
  '%j is no address, so it is not global',
  (text) => {
    expect(isGlobalAddress(text)).toBe(false)
  },
)
