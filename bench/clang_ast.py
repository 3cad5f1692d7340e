"""A C program as clang's AST dump shows it: a tree of nodes with places, and the program with a counter in every loop."""
import re
import subprocess

LINE = re.compile(r'^([ |`-]*)(?:array_filler: )?(\w+) 0x([0-9a-f]+) (.*)$')
PLACE = re.compile(r'<invalid sloc>|col:(\d+)|line:(\d+):(\d+)|((?:<[^<>]*>|[^\s<>,:]+)):(\d+):(\d+)')
CHAIN = re.compile(r'^(?:(?:prev|parent) 0x[0-9a-f]+ )*<')
UNROLL = re.compile(r'_Pragma\("GCC unroll \d+"\)')
LOOPS = ('ForStmt', 'WhileStmt', 'DoStmt')


class Node:
    __slots__ = ('kind', 'id', 'text', 'children', 'begin', 'end', 'file')

    def __init__(self, kind, id=None, text='', begin=None, end=None, file=None):
        self.kind, self.id, self.text, self.begin, self.end, self.file = kind, id, text, begin, end, file
        self.children = []

    def walk(self):
        """This node and all below it, in the order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def types(self):
        return re.findall(r"'([^']*)'", self.text)

    def bare(self):
        """Without parentheses and casts."""
        node = self
        while node.kind in ('ParenExpr', 'ImplicitCastExpr', 'CStyleCastExpr', 'ConstantExpr', 'FullExpr') and node.children:
            node = node.children[0]
        return node


class Reader:
    """clang leaves out what did not change since the last place it printed: file and line are a state."""

    def __init__(self):
        self.file, self.line = None, 0

    def place(self, found):
        column, line, line_column, file, file_line, file_column = found.groups()
        if column:
            return self.line, int(column)
        if line:
            self.line = int(line)
            return self.line, int(line_column)
        if file:
            self.file, self.line = file, int(file_line)
            return self.line, int(file_column)
        return None

    def node(self, kind, id, rest):
        opened = CHAIN.match(rest)
        if not opened:
            return Node(kind, id, rest)
        at, depth = opened.end() - 1, 0
        for end in range(at, len(rest)):
            depth += (rest[end] == '<') - (rest[end] == '>')
            if depth == 0:
                break
        places = [self.place(found) for found in PLACE.finditer(rest, at + 1, end)]
        text = rest[end + 2:]
        if kind.endswith('Decl'):
            found = PLACE.match(text)
            if found:
                self.place(found)
        return Node(kind, id, text, places[0] if places else None, places[-1] if places else None, self.file)


def parse(clang, source, flags, folder):
    """The root of the program's tree."""
    dump = subprocess.run([clang, '-fsyntax-only', '-w', '-Xclang', '-ast-dump', '-fno-color-diagnostics', *flags, source],
                          cwd=folder, capture_output=True, text=True, errors='replace').stdout
    reader, root = Reader(), None
    path = []
    for line in dump.split('\n'):
        found = LINE.match(line)
        if found:
            depth, node = len(found[1]) // 2, reader.node(found[2], found[3], found[4])
        elif line.endswith('<<<NULL>>>'):
            depth, node = (len(line) - 10) // 2, Node('Null')
        else:
            continue
        if depth == 0:
            root, path = node, [node]
            continue
        del path[depth:]
        path[-1].children.append(node)
        path.append(node)
    return root


def loop_parts(loop):
    """(condition or Null, body)"""
    if loop.kind == 'ForStmt':
        return loop.children[2], loop.children[4]
    if loop.kind == 'WhileStmt':
        return loop.children[-2], loop.children[-1]
    return loop.children[1], loop.children[0]


def statement_end(node, text, offset):
    """The offset behind a statement; the dump has the place of its last token, without the semicolon."""
    last = node
    while True:
        if last.kind in ('ForStmt', 'WhileStmt', 'LabelStmt', 'CaseStmt', 'DefaultStmt', 'SwitchStmt', 'IfStmt', 'AttributedStmt') and last.children:
            last = last.children[-1]
        else:
            break
    at = offset(last.end)
    return at + 1 if last.kind == 'CompoundStmt' else text.index(';', at) + 1


def with_counters(text, loops):
    """The program with a counter in every loop of `loops`; at its end it says "index entries iterations longest" on standard error."""
    text = UNROLL.sub(lambda found: ' ' * len(found[0]), text)  # a loop must follow, not the block that a loop becomes
    starts = [0]
    for line in text.split('\n'):
        starts.append(starts[-1] + len(line) + 1)

    def offset(place):
        return starts[place[0] - 1] + place[1] - 1

    edits = []
    for index, loop in enumerate(loops):
        body = loop_parts(loop)[1]
        edits.append((offset(loop.begin), f'{{ unsigned long assay_n = 0; assay_e[{index}]++; '))
        edits.append((offset(body.begin), f'{{ assay_i[{index}]++; if (++assay_n > assay_m[{index}]) assay_m[{index}] = assay_n; '))
        edits.append((statement_end(body, text, offset), '} '))
        edits.append((statement_end(loop, text, offset), '} '))
    edits.sort(key=lambda edit: edit[0])
    pieces, at = [], 0
    for place, piece in edits:
        pieces += [text[at:place], piece]
        at = place
    count = len(loops) + 1
    return (f'static unsigned long assay_e[{count}], assay_i[{count}], assay_m[{count}]; ' + ''.join(pieces) + text[at:] +
            f'\nint dprintf(int, const char *, ...);\n__attribute__((destructor)) static void assay_say(void) {{\n  for (int k = 0; k < {count - 1}; k++) '
            'dprintf(2, "loop %d %lu %lu %lu\\n", k, assay_e[k], assay_i[k], assay_m[k]);\n}\n')
