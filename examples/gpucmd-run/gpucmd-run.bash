# Completion of gpucmd-run for bash. Options and GPUs come from its help and its list.
_gpucmd_run()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word != -- ]] || prev=--
    done
    case $prev in
    --gpu) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --list 2>/dev/null | cut -f1)" -- "$cur") ;;
    --off | --timeout | --display) COMPREPLY=() ;;
    --dump | --record | --replay | --sysroot | --frames) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    *)
        if [[ $cur == -* && $prev != -- ]]; then
            mapfile -t COMPREPLY < <(compgen -W "-- $("${COMP_WORDS[0]}" --help 2>/dev/null |
                grep -o -e '^  --[a-z-]*')" -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    esac
}
complete -o filenames -F _gpucmd_run gpucmd-run
