// Words that the rules of English in CONTRIBUTING replace, for comments and Markdown. A process is
// never a person, an act has the field's own verb, and a sentence begins with its subject.
const WORDS = [
  ...['nobody', 'somebody', 'anybody', 'everybody', 'whoever', 'whomever', 'whom'],
  ...['say', 'says', 'said', 'saying', 'tell', 'tells', 'told', 'wish', 'wishes', 'heed', 'heeds'],
  ...['stands', 'stood', 'lies', 'lain', 'mend', 'mends', 'mended', 'spelt', 'learnt'],
  ...['of ours', 'of theirs', 'none such', 'so many', 'so long', 'goes on', 'go on', 'went on'],
  ...['take in', 'takes in', 'taken in', 'takes out', 'taken out', 'taken back', 'gave up'],
  ...['becomes of', 'comes of', 'come of', 'speaks', 'talks', 'talk'],
]

/** Uses of such words that are the field's own. */
const ALLOWED = ['stands for', 'so long as', 'saying hello']

const words = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi')
const allowed = new RegExp(`\\b(?:${ALLOWED.join('|')})\\b`, 'gi')
const opening = /^(?:What|Who|Whose|Whom|Of|Where|Whether)\b/

/** The words of a comment or a paragraph that need a replacement. */
export function privateWords(text) {
  const plain = text.replace(allowed, '').replace(/`[^`]*`/g, '')
  const found = [...plain.matchAll(words)].map(([word]) => word)
  return [...found, ...(plain.trim().match(opening) ?? [])]
}
