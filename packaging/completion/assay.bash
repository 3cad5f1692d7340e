# bash completion for assay. The program itself knows what may follow (assay complete WORD...).
_assay() {
  COMPREPLY=()
  local word words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
  # A list goes on after a comma: no blank behind what was completed.
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    --targets) compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}
complete -o default -F _assay assay
