import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import type { Run, Source } from '../../api/feeds.ts'
import { useCan } from '../../shell/use-can.ts'
import { copyText } from '../../ui/copy-text.ts'
import { notifyDone } from '../../ui/notify.ts'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { durationWords } from './interval-words.ts'
import { RejectList } from './reject-list.tsx'
import { runStory, storyText } from './run-story.ts'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.story

/** One collection for a person who has to ask the publisher about it: what was done, what was refused where and why; all of it can be copied. */
export function RunStory({ source, run }: { source: Source; run: Run }) {
  const mayRead = useCan()('feed.error.read')
  const copy = () => {
    void copyText(storyText(source, run)).then((done) => notifyDone(done ? uiText.copied : uiText.copyFailed))
  }
  return (
    <SectionPanel
      title={text.heading}
      actions={
        <Button variant="default" size="compact-xs" leftSection={<IconCopy size={13} aria-hidden />} onClick={copy}>
          {text.copy}
        </Button>
      }
    >
      <div className={classes['story']}>
        <p className="svc-dim">
          <TimeText value={run.started_at} form="precise" />
          {run.duration_ms !== null && `, ${text.took(durationWords(run.duration_ms))}`}
        </p>
        <ol className={classes['steps']}>
          {runStory(run, source.format).map(({ id, state, words }) => (
            <li key={id}>
              <StateWord state={state} word={text.steps[id]} />
              <span>{words}</span>
            </li>
          ))}
        </ol>
        {run.warning !== null && <p className={classes['said']}>{run.warning}</p>}
        {run.has_error && <p className={classes['said']}>{run.error ?? (mayRead === true ? sourcesText.drawer.unknown : mayRead)}</p>}
        {run.rejected_count > 0 && <RejectList run={run} />}
      </div>
    </SectionPanel>
  )
}
