import { Button } from '@mantine/core'
import type { DayFlow } from '../../api/soc.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { FlowChart } from './flow-chart.tsx'
import { type FlowBar, foldDays } from './fold-days.ts'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.flow

type FlowPanelProps = { days: readonly DayFlow[]; asTable: boolean; onTable: (table: boolean) => void }

/** What came, what went and what stayed, as a drawing or as its table. */
export function FlowPanel({ days, asTable, onTable }: FlowPanelProps) {
  const bars = foldDays(days)
  return (
    <div className={classes['wide']}>
      <SectionPanel
        title={text.title}
        actions={
          <Button variant="subtle" size="compact-sm" onClick={() => onTable(!asTable)}>
            {asTable ? text.asChart : text.asTable}
          </Button>
        }
      >
        {asTable ? <FlowTable bars={bars} /> : <FlowChart bars={bars} />}
        {bars.length < days.length && <p className="svc-dim">{text.weeks}</p>}
      </SectionPanel>
    </div>
  )
}

function FlowTable({ bars }: { bars: readonly FlowBar[] }) {
  const names = text.columns
  return (
    <ScrollBox label={text.title} tall>
      <table className={classes['flowTable']}>
        <thead>
          <tr>
            {[names.when, names.opened, names.reopened, names.closed, names.backlog].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ from, to, opened, reopened, closed, backlog }) => (
            <tr key={from}>
              <th scope="row">{text.days(from, to)}</th>
              <td>{opened}</td>
              <td>{reopened}</td>
              <td>{closed}</td>
              <td>{backlog}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
