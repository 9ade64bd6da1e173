import { describeSettings, type SettingDescription } from '../configuration/describe-settings.ts'
import { environmentOnly } from '../configuration/settings.ts'

const columns = 100

/** Every setting for whoever reads on a terminal: its name, its default, and what it does. */
export function settingsHelp(): string {
  const groups = Map.groupBy(describeSettings(), ({ group }) => group)
  const others = Object.entries(environmentOnly).map(([name, description]) => entry(name, description))
  return [
    ...[...groups].map(([group, settings]) => [group, ...settings.map(settingEntry)].join('\n')),
    ['In the environment only', ...others].join('\n'),
  ].join('\n\n')
}

function settingEntry(setting: SettingDescription): string {
  const { name, description, unit } = setting
  const standard = 'default' in setting ? [setting.default, unit].filter((part) => part !== undefined) : [setting.unset]
  return entry(`${name} (${standard.join(' ')})`, description)
}

const entry = (head: string, description: string): string =>
  [`  ${plain(head)}`, ...wrapped(plain(description), columns - 6).map((line) => `      ${line}`)].join('\n')

/** Markdown as it is read on a terminal. */
const plain = (markdown: string): string => markdown.replaceAll('`', '')

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
