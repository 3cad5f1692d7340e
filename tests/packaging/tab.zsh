# zsh -f tab.zsh FOLDER LINE...: in a zsh of its own that has FOLDER on its fpath, what each line has become after Tab.
zmodload zsh/zpty
export folder=$1
shift
zpty shell 'zsh -f -i'
zpty -w shell 'PROMPT=; fpath=($folder $fpath); autoload -Uz compinit; compinit -u -D'
zpty -w shell 'report() { print -r -- "<""LINE>$BUFFER</LI""NE>"; BUFFER= }; zle -N report; bindkey "^X" report; print REA""DY'
zpty -r shell answer '*READY*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\t\C-X'
  zpty -r shell answer '*</LINE>*'
  answer=${answer##*<LINE>}
  print -r -- "${answer%%</LINE>*}"
done
zpty -d shell
