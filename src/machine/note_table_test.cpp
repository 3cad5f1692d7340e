#include "machine/note_table.hpp"

#include <gtest/gtest.h>

namespace assay::machine {
namespace {

FloatNote NoteWith(double bound) {
  FloatNote note;
  note.bound = bound;
  return note;
}

TEST(NoteTable, FindsWhatWasPutThereAndNothingElse) {
  NoteTable notes;
  EXPECT_EQ(notes.Find(64), nullptr);
  notes.Put(64, {NoteWith(3), 8});
  ASSERT_NE(notes.Find(64), nullptr);
  EXPECT_EQ(notes.Find(64)->note.bound, 3);
  EXPECT_EQ(notes.Find(63), nullptr);
  EXPECT_EQ(notes.Find(65), nullptr);
  EXPECT_EQ(notes.Find(1 << 20), nullptr);
}

// A store of one byte anywhere in a value ends its note; the bytes before and behind it do not.
TEST(NoteTable, ForgetsValuesThatLieThereEvenInPart) {
  for (uint32_t bytes : {4u, 8u}) {
    for (uint32_t at = 100 - 12; at < 100 + 12; ++at) {
      NoteTable notes;
      notes.Put(100, {NoteWith(1), bytes});
      notes.Forget(at, 1);
      EXPECT_EQ(notes.Find(100) == nullptr, at >= 100 && at < 100 + bytes) << at << " of " << bytes;
    }
  }
  NoteTable at_the_start;
  at_the_start.Put(0, {NoteWith(1), 4});
  at_the_start.Forget(3, 2);
  EXPECT_EQ(at_the_start.Find(0), nullptr);
}

TEST(NoteTable, CopiesWholeValuesAndForgetsWhatWasThere) {
  NoteTable notes;
  notes.Put(0, {NoteWith(1), 8});
  notes.Put(8, {NoteWith(2), 4});
  notes.Put(12, {NoteWith(3), 8});  // its end is not copied
  notes.Put(200, {NoteWith(4), 8});
  notes.Put(212, {NoteWith(5), 8});  // behind what is written
  notes.Copy(196, 0, 16);
  EXPECT_EQ(notes.Find(196)->note.bound, 1);
  EXPECT_EQ(notes.Find(204)->note.bound, 2);
  EXPECT_EQ(notes.Find(200), nullptr);
  EXPECT_EQ(notes.Find(208), nullptr);
  EXPECT_EQ(notes.Find(212)->note.bound, 5);
  EXPECT_EQ(notes.Find(12)->note.bound, 3);
}

TEST(NoteTable, CopiesOntoItself) {
  NoteTable notes;
  notes.Put(0, {NoteWith(1), 8});
  notes.Put(8, {NoteWith(2), 8});
  notes.Copy(8, 0, 16);
  EXPECT_EQ(notes.Find(0)->note.bound, 1);
  EXPECT_EQ(notes.Find(8)->note.bound, 1);
  EXPECT_EQ(notes.Find(16)->note.bound, 2);
}

}  // namespace
}  // namespace assay::machine
