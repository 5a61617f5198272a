import type { CveDetail, ScoreBreakdown } from '../../../api/cves.ts'
import type { WaterfallStep, WaterfallTotal } from '../../../ui/waterfall.tsx'
import { detailText } from './detail.text.ts'

const text = detailText.score

/** Parts in the order of their sum, with the most that each can give. Source: src/domains/vulnerabilities/score/composite-score.ts. */
const PARTS = [
  { part: 'cvss', room: 40 },
  { part: 'epss_prob', room: 20 },
  { part: 'epss_rank', room: 10 },
  { part: 'kev', room: 20 },
  { part: 'ransomware', room: 5 },
  { part: 'exploit', room: 10 },
] as const satisfies readonly { part: keyof ScoreBreakdown; room: number }[]

/** The most that all parts together can give: where the tracks end. */
export const MOST_POINTS = PARTS.reduce((sum, { room }) => sum + room, 0)

/** Where priorities begin. Source: src/domains/vulnerabilities/score/composite-score.ts. */
export const PRIORITY_STARTS = { P2: 40, P1: 60, P0: 80 } as const

/** Each part with its place in the sum and its inputs in words. */
export function scoreSteps(cve: CveDetail): WaterfallStep[] {
  const why = wordsOf(cve)
  let from = 0
  return PARTS.map(({ part, room }) => {
    const points = cve.breakdown[part]
    const step = { name: text.parts[part], from, points, room, shown: text.of(points, room), why: why[part] }
    from += points
    return step
  })
}

/** The sum with what holds it down or lifts it. */
export function scoreTotal({ score, priority, breakdown: { raw, cap, kev_floor } }: CveDetail): WaterfallTotal {
  return {
    name: text.total,
    points: score,
    shown: text.ofTotal(score),
    why: [
      ...(cap === null ? [] : [cap === 100 ? text.cut(raw) : text.capped(cap)]),
      ...(kev_floor ? [text.lifted] : []),
      text.starts(priority, PRIORITY_STARTS),
    ].join(' '),
    ticks: Object.values(PRIORITY_STARTS),
    liftedTo: kev_floor ? PRIORITY_STARTS.P1 : undefined,
    cutFrom: raw > score ? raw : undefined,
  }
}

/** `95 = 40 + 20 + 10 + 20 + 5`: the parts that give points. */
export function scoreSentence({ score, breakdown }: Pick<CveDetail, 'score' | 'breakdown'>): string {
  const points = PARTS.map(({ part }) => breakdown[part]).filter((given) => given > 0)
  const sum = points.length === 0 ? '0' : points.join(' + ')
  return breakdown.raw > score ? text.sumCut(score, sum, breakdown.raw) : text.sum(score, sum)
}

function wordsOf(cve: CveDetail): Record<(typeof PARTS)[number]['part'], string> {
  const { cvss, cvss_version, cvss_source, epss, epss_percentile, kev, kev_date_added, ransomware, exploit } = cve
  return {
    cvss: cvss === null ? text.noCvss : text.cvss(cvss, cvss_version ?? '', cvss_source ?? ''),
    epss_prob: epss === null ? text.noEpss : text.epss(epss),
    epss_rank: epss_percentile === null ? text.noEpss : text.rank(epss_percentile),
    kev: kev ? text.kev(kev_date_added) : text.noKev,
    ransomware: ransomware ? text.ransomware : kev ? text.noRansomware : text.noKev,
    exploit: exploit ? text.exploit : text.noExploit,
  }
}
