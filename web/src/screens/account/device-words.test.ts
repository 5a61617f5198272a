import { describe, expect, it } from 'vitest'
import { deviceWords } from './device-words.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

describe('deviceWords', () => {
  it.each([
    { agent: CHROME, words: 'Chrome 131 on Linux', why: 'Chrome, which names Safari as well' },
    { agent: `${CHROME} Edg/131.0.0.0`, words: 'Edge 131 on Linux', why: 'Edge, which names Chrome as well' },
    {
      agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
      words: 'Firefox 128 on Windows',
      why: 'Firefox',
    },
    {
      agent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      words: 'Safari 17 on iOS',
      why: 'an iPhone, which names Mac OS as well',
    },
    { agent: 'curl/8.5.0', words: 'curl 8.5.0', why: 'a program without a system' },
    { agent: 'reporting-job', words: 'reporting-job', why: 'an unknown program keeps its name' },
    { agent: 'x'.repeat(60), words: `${'x'.repeat(39)}…`, why: 'a long name is cut' },
    { agent: null, words: undefined, why: 'nothing is known' },
    { agent: '  ', words: undefined, why: 'a blank name is none' },
  ])('$why', ({ agent, words }) => {
    expect(deviceWords(agent)).toBe(words)
  })
})
