import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compositeScore, type ScoreInputs } from './composite-score.ts'

const NOTHING: ScoreInputs = {
  cvss: undefined,
  epssProbability: undefined,
  epssPercentile: undefined,
  kev: false,
  ransomware: false,
  exploit: false,
}

// Published figures of well-known CVEs; parts are cvss, probability, rank, KEV, ransomware, exploit.
// biome-ignore format: one case per line
describe('well-known CVEs', () => {
  test.each([
    { name: 'Log4Shell',       cvss: 10.0, epss: 0.99999, rank: 1.0,     kev: true,  ransomware: true,  exploit: true,  parts: [40, 20, 10, 20, 5, 10], score: 100, priority: 'P0', without: [75, 'P1'] },
    { name: 'MOVEit',          cvss: 9.8,  epss: 0.99934, rank: 0.9997,  kev: true,  ransomware: true,  exploit: true,  parts: [39, 20, 10, 20, 5, 10], score: 100, priority: 'P0', without: [74, 'P1'] },
    { name: 'Zerologon',       cvss: 10.0, epss: 0.99512, rank: 0.99942, kev: true,  ransomware: true,  exploit: true,  parts: [40, 20, 10, 20, 5, 10], score: 100, priority: 'P0', without: [75, 'P1'] },
    { name: 'EternalBlue',     cvss: 8.1,  epss: 0.9923,  rank: 0.99932, kev: true,  ransomware: true,  exploit: true,  parts: [32, 20, 10, 20, 5, 10], score: 97,  priority: 'P0', without: [67, 'P1'] },
    { name: 'Citrix Bleed',    cvss: 7.5,  epss: 0.99999, rank: 0.99998, kev: true,  ransomware: true,  exploit: true,  parts: [30, 20, 10, 20, 5, 10], score: 95,  priority: 'P0', without: [65, 'P1'] },
    { name: 'Heartbleed',      cvss: 7.5,  epss: 0.99999, rank: 0.99997, kev: true,  ransomware: false, exploit: true,  parts: [30, 20, 10, 20, 0, 10], score: 90,  priority: 'P0', without: [60, 'P1'] },
    { name: 'PHP-CGI',         cvss: 9.8,  epss: 0.99987, rank: 0.99984, kev: true,  ransomware: true,  exploit: true,  parts: [39, 20, 10, 20, 5, 10], score: 100, priority: 'P0', without: [74, 'P1'] },
    { name: 'React2Shell',     cvss: 10.0, epss: 0.99616, rank: 0.99947, kev: true,  ransomware: false, exploit: true,  parts: [40, 20, 10, 20, 0, 10], score: 100, priority: 'P0', without: [70, 'P1'] },
    { name: 'sudo',            cvss: 7.8,  epss: 0.99295, rank: 0.99935, kev: true,  ransomware: false, exploit: true,  parts: [31, 20, 10, 20, 0, 10], score: 91,  priority: 'P0', without: [61, 'P1'] },
    { name: 'xz',              cvss: 10.0, epss: 0.85974, rank: 0.99712, kev: false, ransomware: false, exploit: true,  parts: [40, 19, 10, 0, 0, 10],  score: 79,  priority: 'P1', without: [50, 'P2'] },
    { name: 'regreSSHion',     cvss: 8.1,  epss: 0.99506, rank: 0.99942, kev: false, ransomware: false, exploit: true,  parts: [32, 20, 10, 0, 0, 10],  score: 72,  priority: 'P1', without: [42, 'P2'] },
    { name: 'Next.js',         cvss: 9.1,  epss: 0.99301, rank: 0.99936, kev: false, ransomware: false, exploit: true,  parts: [36, 20, 10, 0, 0, 10],  score: 76,  priority: 'P1', without: [46, 'P2'] },
    { name: 'OpenSSH names',   cvss: 5.3,  epss: 0.98631, rank: 0.99921, kev: false, ransomware: false, exploit: true,  parts: [21, 20, 10, 0, 0, 10],  score: 61,  priority: 'P1', without: [31, 'P3'] },
    { name: 'Intel IPP',       cvss: 4.7,  epss: 0.00209, rank: 0.11344, kev: false, ransomware: false, exploit: false, parts: [19, 1, 0, 0, 0, 0],     score: 20,  priority: 'P3', without: [19, 'P3'] },
  ])('$name scores $score, $priority', ({ cvss, epss, rank, kev, ransomware, exploit, parts, score, priority, without }) => {
    const scored = compositeScore({ cvss, epssProbability: epss, epssPercentile: rank, kev, ransomware, exploit })
    const { breakdown } = scored
    expect([breakdown.cvss, breakdown.epss_prob, breakdown.epss_rank, breakdown.kev, breakdown.ransomware, breakdown.exploit]).toEqual(parts)
    expect([scored.score, scored.priority]).toEqual([score, priority])
    const blind = compositeScore({ ...NOTHING, cvss, kev, ransomware, exploit })
    expect([blind.score, blind.priority]).toEqual(without)
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'nothing known scores nothing',               inputs: {},                                                            score: 0,   priority: 'P3', cap: 75,   floor: false },
  { title: 'EPSS of zero is a value and lifts the cap',  inputs: { epssProbability: 0, epssPercentile: 0 },                     score: 0,   priority: 'P3', cap: null, floor: false },
  { title: 'a percentile of 0.80 adds nothing',          inputs: { epssProbability: 0, epssPercentile: 0.8 },                   score: 0,   priority: 'P3', cap: null, floor: false },
  { title: 'half of the upper fifth adds half',          inputs: { epssProbability: 0, epssPercentile: 0.9 },                   score: 5,   priority: 'P3', cap: null, floor: false },
  { title: 'a quarter of probability is half of 20',     inputs: { epssProbability: 0.25, epssPercentile: 0.5 },                score: 10,  priority: 'P3', cap: null, floor: false },
  { title: '39 points are P3',                           inputs: { cvss: 9.8, epssProbability: 0, epssPercentile: 0 },          score: 39,  priority: 'P3', cap: null, floor: false },
  { title: '40 points are P2',                           inputs: { cvss: 10, epssProbability: 0, epssPercentile: 0 },           score: 40,  priority: 'P2', cap: null, floor: false },
  { title: 'KEV lifts P3 to P1 and leaves the score',    inputs: { cvss: 4, kev: true },                                        score: 36,  priority: 'P1', cap: 75,   floor: true },
  { title: 'KEV lifts P2 to P1',                         inputs: { cvss: 6, kev: true },                                        score: 44,  priority: 'P1', cap: 75,   floor: true },
  { title: 'KEV does not lift P1',                       inputs: { cvss: 10, kev: true, exploit: true },                        score: 70,  priority: 'P1', cap: 75,   floor: false },
  { title: 'everything without EPSS is 75, and no P0',   inputs: { cvss: 10, kev: true, ransomware: true, exploit: true },      score: 75,  priority: 'P1', cap: 75,   floor: false },
  { title: 'ransomware counts within KEV only',          inputs: { ransomware: true },                                          score: 0,   priority: 'P3', cap: 75,   floor: false },
  { title: 'exactly 100 needs no cap',                   inputs: { cvss: 10, epssProbability: 1, epssPercentile: 1, kev: true, exploit: true }, score: 100, priority: 'P0', cap: null, floor: false },
  { title: 'above 100 is capped',                        inputs: { cvss: 10, epssProbability: 1, epssPercentile: 1, kev: true, exploit: true, ransomware: true }, score: 100, priority: 'P0', cap: 100, floor: false },
])('$title', ({ inputs, score, priority, cap, floor }) => {
  const scored = compositeScore({ ...NOTHING, ...inputs })
  expect([scored.score, scored.priority, scored.breakdown.cap, scored.breakdown.kev_floor]).toEqual([score, priority, cap, floor])
})

const inputs = fc.record({
  cvss: fc.option(
    fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    { nil: undefined },
  ),
  epssProbability: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  epssPercentile: fc.double({ min: 0, max: 1, noNaN: true }),
  kev: fc.boolean(),
  ransomware: fc.boolean(),
  exploit: fc.boolean(),
})

test('the parts add up, the score keeps its limits, and a KEV entry is P0 or P1', () => {
  fc.assert(
    fc.property(inputs, (given) => {
      const epssPercentile = given.epssProbability === undefined ? undefined : given.epssPercentile
      const { score, priority, breakdown: b } = compositeScore({ ...given, epssPercentile })
      expect(b.cvss + b.epss_prob + b.epss_rank + b.kev + b.ransomware + b.exploit).toBe(b.raw)
      expect(score).toBe(Math.min(b.raw, given.epssProbability === undefined ? 75 : 100))
      if (given.kev) expect(['P0', 'P1']).toContain(priority)
    }),
  )
})
