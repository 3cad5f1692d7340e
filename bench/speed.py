"""Measures one process per program for both tools (CPU time of children), and `assay gen --count` for batches."""
import os
import re
import resource
import statistics
import subprocess
import sys

from measure import tokens

BATCH = 100
ROUNDS = 3


def cpu(command, out):
    """CPU seconds of a run: the least of three, for both tools, because what else the machine does only ever adds to it."""
    return min(cpu_once(command, out) for _ in range(ROUNDS))


def cpu_once(command, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out, 'wb') as file:
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=True, cwd=os.path.dirname(out))  # csmith leaves files
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def read(path):
    with open(path, errors='replace') as file:
        return file.read()


def instructions(command, out):
    """Instructions executed, by valgrind: does not depend on what else the machine does."""
    with open(out, 'wb') as file:
        run = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'] + command, stdout=file,
                             stderr=subprocess.PIPE, text=True, check=True, cwd=os.path.dirname(out))
    return int(re.search(r'Collected : (\d+)', run.stderr).group(1))


def by_instructions(assay, scratch, peers, ours):
    out = os.path.join(scratch, 'p.c')
    peer_count, peer_tokens = 0, 0
    for seed in range(1, peers + 1):
        peer_count += instructions(['csmith', '--seed', str(seed)], out)
        peer_tokens += tokens(read(out))
    folder = os.path.join(scratch, 'batch')
    own_count = instructions([assay, 'gen', '--seed', '1', '--count', str(ours), '--out', folder + '/'], out)
    own_tokens = sum(tokens(read(os.path.join(folder, f'{seed}.c'))) for seed in range(1, ours + 1))
    peer, own = peer_count / peer_tokens, own_count / own_tokens
    print(f'csmith   {peers} programs, {peer_tokens} tokens, {peer:.0f} instructions per token')
    print(f'assay    {ours} programs, {own_tokens} tokens, {own:.0f} instructions per token, in one process')
    print(f'ratio    {peer / own:.1f} (goal: 50)')


def main():
    if sys.argv[5:] == ['instructions']:
        return by_instructions(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    assay, scratch, peers, ours = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    out = os.path.join(scratch, 'p.c')
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    # The two in turn, so that what else the machine does meets both. A batch takes about as long as one program of csmith's, so
    # that the least of three means the same for both.
    folder = os.path.join(scratch, 'batch')
    firsts = range(1, ours + 1, BATCH)
    seats = max(peers, len(firsts))
    peer_times, batch_times, peer_tokens = [float('inf')] * peers, [float('inf')] * seats, 0
    for turn in range(ROUNDS):
        for seat in range(seats):
            if seat < peers:
                peer_times[seat] = min(peer_times[seat], cpu_once(['csmith', '--seed', str(seat + 1)], out))
                peer_tokens += tokens(read(out)) if turn == 0 else 0
            first = firsts[seat % len(firsts)]
            count = min(BATCH, ours + 1 - first)
            command = [assay, 'gen', '--seed', str(first), '--count', str(count), '--out', folder + '/']
            batch_times[seat] = min(batch_times[seat], cpu_once(command, out))
    batch_time = sum(statistics.mean(batch_times[batch::len(firsts)]) for batch in range(len(firsts)))
    own_times, own_tokens = [], 0
    for seed in range(1, ours + 1):
        own_times.append(cpu([assay, 'gen', '--seed', str(seed)], out))
        own_tokens += tokens(read(out))
    peer_speed, own_speed = peer_tokens / sum(peer_times), own_tokens / sum(own_times)
    batch_speed = own_tokens / batch_time
    own_times.sort()
    print(f'csmith   {peers} programs, {peer_tokens / peers:.0f} tokens each, {peer_speed:.0f} tokens/s, '
          f'median {statistics.median(peer_times) * 1000:.1f} ms')
    print(f'assay    {ours} programs, {own_tokens / ours:.0f} tokens each, {own_speed:.0f} tokens/s, '
          f'median {statistics.median(own_times) * 1000:.2f} ms, p99 {own_times[(len(own_times) - 1) * 99 // 100] * 1000:.2f} ms')
    print(f'         in processes of {BATCH} programs: {batch_speed:.0f} tokens/s, {batch_time / ours * 1000:.2f} ms per program')
    print(f'ratio    {batch_speed / peer_speed:.1f} in processes of many programs (goal: 50), {own_speed / peer_speed:.1f} with one process per program; p99 / csmith median {own_times[(len(own_times) - 1) * 99 // 100] / statistics.median(peer_times):.3f} (goal: below 1)')
    print('size     time per 1,000 tokens, one process per program:')
    for size in (1000, 3000, 10000, 30000, 100000):
        total_time, total_tokens = 0.0, 0
        for seed in range(1, 9):
            total_time += cpu([assay, 'gen', '--seed', str(seed), '--tokens', str(size), '--tokens-spread', '0'], out)
            total_tokens += tokens(read(out))
        print(f'  {size:>7}  {total_tokens / 8:>9.0f} tokens  {total_time / total_tokens * 1e6:.3f} ms')


main()
